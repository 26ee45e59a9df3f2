import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'jsonc-parser';
import { type HookEvent, hookClientIds, hookClients, specOf } from '../../src/hooks/clients.ts';
import { ownCommandsOf, withHooks, withoutHooks } from '../../src/init/hook-entries.ts';
import { toCommandLine } from '../../src/init/launch.ts';

const FILE = 'settings.json';
const toCommand = (hook: string) =>
  `node /opt/contextloom/services/cli/bin/contextloom.js hook ${hook} --client claude-code`;
const form = hookClients['claude-code'];
const add = (text: string | undefined) =>
  withHooks(text, { form, toEntry: (event) => form.toEntry(toCommand(event), 'linux', event) }, FILE);
const takeOut = (text: string) => withoutHooks(text, form, FILE);
const ours = (hook: string, timeout = 15) => ({ hooks: [{ type: 'command', command: toCommand(hook), timeout }] });

const others = `{
  // What I like.
  "model": "opus", "env": { "A": "1" },
  "hooks": {
    "SessionStart": [
      { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo hi" }] } // greets
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  } /* end */
}
`;

describe('hooks in the settings of a client', () => {
  it('are written into an empty file as clients read them', () => {
    expect(add(undefined)).toBe(add(''));
    expect(parse(add(undefined))).toEqual({
      hooks: {
        SessionStart: [ours('session-start')],
        SessionEnd: [ours('session-end')],
        PreCompact: [ours('pre-compact')],
        SubagentStart: [ours('subagent-start')],
        UserPromptSubmit: [ours('user-prompt', 1)],
      },
    });
  });

  it('are written next to those of others, and every other line stays', () => {
    const next = add(others);
    const { hooks, ...rest } = parse(next);
    expect(rest).toEqual({ model: 'opus', env: { A: '1' } });
    expect(hooks.SessionStart).toEqual([parse(others).hooks.SessionStart[0], ours('session-start')]);
    expect(hooks).toMatchObject({ Stop: parse(others).hooks.Stop, SessionEnd: [ours('session-end')] });
    const lines = next.split('\n').map((line) => line.trim());
    for (const comment of ['// What I like.', '// greets', '/* end */']) expect(next).toContain(comment);
    expect(lines).toEqual(expect.arrayContaining(['"model": "opus", "env": { "A": "1" },']));
  });

  it.each([
    ['nothing', '{}\n'],
    ['other settings', '{\n\t"a": [1,2]\n}\n'],
    ['hooks of others', others],
    ['one line', '{"a":1,"hooks":{"Stop":[]}}'],
    ['line ends of Windows', '{\r\n  "a": 1\r\n}\r\n'],
    ['a comment alone', '{\n  // mine\n}\n'],
  ])('are written once, and taken out again, where there are %s', (_name, text) => {
    const once = add(text);
    expect(add(once)).toBe(once);
    expect(once.includes('\r\n')).toBe(text.includes('\r\n'));
    expect(once.replaceAll('\r\n', '').includes('\r')).toBe(false);
    const back = takeOut(once);
    expect(back).not.toContain('contextloom');
    expect(parse(back)).toEqual(parse(text));
    for (const [comment] of text.matchAll(/\/\/.*|\/\*.*?\*\//g)) expect(back).toContain(comment);
    expect(takeOut(back)).toBe(back);
  });

  it('take the place of those of an earlier installation, also in a group with another hook', () => {
    const old = '"/old/node" "/tmp/a b/contextloom.js" hook session-start --client claude-code';
    const other = { type: 'command', command: 'echo contextloom' };
    const text = JSON.stringify({ hooks: { SessionStart: [{ hooks: [other, { type: 'command', command: old }] }] } });
    expect(parse(add(text)).hooks.SessionStart).toEqual([{ hooks: [other] }, ours('session-start')]);
    const npx = text.replace(JSON.stringify(old), JSON.stringify('npx -y contextloom hook session-start'));
    expect(parse(takeOut(npx))).toEqual({ hooks: { SessionStart: [{ hooks: [other] }] } });
  });

  it.each([
    ['no JSON', 'hooks = 1'],
    ['hooks that are no object', '{"hooks": []}'],
    ['an event that is no list', '{"hooks": {"SessionEnd": {}}}'],
    ['no object at all', '[]'],
  ])('are refused for %s', (_name, text) => {
    expect(() => add(text)).toThrow(FILE);
  });
});

describe('the command line of a hook', () => {
  const posix = { platform: 'linux', execPath: '/usr/bin/node', root: '/opt', bin: "/opt/it's 中文/b.js" } as const;
  const windows = {
    ...posix,
    platform: 'win32',
    execPath: 'C:\\Program Files\\node.exe',
    bin: "C:\\O'B\\b.js",
  } as const;
  const cached = { ...windows, root: join('C:', '_npx', 'abc') };

  it.each([
    ['posix', posix, `/usr/bin/node '/opt/it'\\''s 中文/b.js' hook session-end`],
    ['windows', windows, `"C:\\Program Files\\node.exe" "C:\\O'B\\b.js" hook session-end`],
    ['powershell', windows, `& 'C:\\Program Files\\node.exe' 'C:\\O''B\\b.js' hook session-end`],
    ['powershell', { ...windows, execPath: 'node' }, `node 'C:\\O''B\\b.js' hook session-end`],
    ['windows', cached, 'cmd /c npx -y contextloom hook session-end'],
    ['powershell', cached, 'cmd /c npx -y contextloom hook session-end'],
  ] as const)('is quoted for %s', (shell, installation, line) => {
    expect(toCommandLine(['hook', 'session-end'], installation, shell)).toBe(line);
  });

  it('is known again, however it is quoted', () => {
    for (const client of hookClientIds) {
      const spec = specOf(client);
      for (const platform of ['linux', 'darwin', 'win32'] as const) {
        const installation = { ...(platform === 'win32' ? windows : posix), bin: '/a b/contextloom.js' };
        const line = toCommandLine(['hook', 'session-start', '--client', client], installation, spec.toShell(platform));
        const text = JSON.stringify({ hooks: { SessionStart: [spec.toEntry(line, platform, 'session-start')] } });
        expect(ownCommandsOf(text, 'SessionStart', FILE)).toEqual([line]);
      }
    }
  });
});

describe.each(hookClientIds)('hooks in the file of %s', (client) => {
  const spec = specOf(client);
  const toEntry = (event: HookEvent) => spec.toEntry(`contextloom hook ${event} --client ${client}`, 'linux', event);
  const put = (text: string | undefined) => withHooks(text, { form: spec, toEntry }, FILE);

  it('are written once into an empty file, one for each event, and leave what it needs', () => {
    const once = put(undefined);
    const { hooks, ...rest } = parse(once);
    expect(rest).toEqual(spec.base);
    expect(hooks).toEqual(
      Object.fromEntries(Object.entries(spec.events).map(([event, name]) => [name, [toEntry(event as HookEvent)]])),
    );
    expect(put(once)).toBe(once);
    expect(parse(withoutHooks(once, spec, FILE))).toEqual(spec.base);
  });

  it('leave those of others as they were written, to the byte', () => {
    const [name] = Object.values(spec.events);
    const mine = `{ "command":   "echo 'contextloom hooks'", /* mine */ "timeout" : 3 }`;
    const before = `{\n  "version": 1,\n  // what I run\n  "hooks": {\n    "${name}": [\n      ${mine}\n    ],\n    "stop": [${mine}]\n  }\n}\n`;
    const next = put(before);
    expect(next.split(mine)).toHaveLength(3);
    expect(parse(next).hooks[name ?? '']).toHaveLength(2);
    expect(withoutHooks(next, spec, FILE)).toBe(before);
  });
});

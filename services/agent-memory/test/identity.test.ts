import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createFolder, DAY, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

interface Context {
  readonly context: string;
  readonly left_out: readonly { readonly section: string; readonly reason: string; readonly file?: string }[];
  readonly hint?: string;
}

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;
let client: TestClient;

async function open(options: Parameters<typeof openTestMemory>[1] = {}): Promise<void> {
  opened = await openTestMemory(folder, options);
  client = await connectInMemory(createAgentMemoryServer({ ...opened, isShared: false, version: '0', log: silentLog }));
}
async function call<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
  const { structured, isError, text } = await client.callTool(name, args);
  if (isError) throw new Error(text);
  return structured as T;
}
const load = (args = {}) => call<Context>('load_context', args);

beforeEach(() => {
  folder = createFolder();
});
afterEach(async () => {
  await client.close();
  await opened.memory.close();
  folder.remove();
});

describe('the language of a workspace', () => {
  const english = {
    'SPIRIT.md': '# The agent\n\n## Role\nA helper for Ann, who builds boats.\n',
    [DAY]: '# 2026-02-14 log\n\n## Entries\n\n### 10:30 - Decision\nThe hull is made of oak.\n',
  };

  it('is that of its headings: an English one is answered and written in English', async () => {
    for (const [path, text] of Object.entries(english)) folder.save(path, text);
    await open({ language: 'auto' });
    const { context } = await load();
    expect(context).toMatch(/^# Who you are\n/);
    expect(context).toContain('# Recent days\n- 2026-02-14 10:30 [Decision] The hull is made of oak.');
    await call('add_entry', { content: 'Bought varnish.' });
    expect(folder.read(DAY)).toContain('### 12:00 - Manual\n');
    await call('add_entry', { content: 'Ann is left-handed.', long_term: true });
    expect(folder.read('MEMORY.md')).toMatch(/^# Long-term memory\n/);
    await call('init_identity');
    expect(folder.read('OWNER.md')).toMatch(/^# The owner\n/);
  });

  it('is Chinese in a Chinese one, and what the settings say where they do', async () => {
    saveSeed(folder.save);
    await open({ language: 'auto' });
    expect((await load()).context).toMatch(/^# 你是谁\n[\s\S]*# 最近的日志\n/);
    await client.close();
    await opened.memory.close();
    await open({ language: 'en' });
    expect((await load()).context).toMatch(/^# Who you are\n[\s\S]*# Recent days\n/);
  });

  it('is that of the first text where nothing is written yet, or the one asked for', async () => {
    await open({ language: 'auto' });
    await call('init_identity', { language: 'en' });
    expect(folder.read('SPIRIT.md')).toContain('## Role');
    unlinkSync(join(folder.workspace, 'SPIRIT.md'));
    for (const path of ['OWNER.md', 'TOOLS.md', 'MEMORY.md']) unlinkSync(join(folder.workspace, path));
    await opened.memory.sync();
    await call('add_entry', { content: 'The first word here.' });
    expect(folder.read(DAY)).toMatch(/^# 2026-02-14 log\n/);
  });
});

describe('an empty workspace', () => {
  it('says what to do first, until something is written', async () => {
    await open({ language: 'auto' });
    expect(await load({ query: 'What do you know of me?' })).toMatchObject({
      context: '',
      hint: expect.stringMatching(/^The workspace is empty\. Call init_identity/),
    });
    expect((await load({ query: '你记得我什么' })).hint).toContain('先调用 init_identity');
    await call('add_entry', { content: '新的' });
    expect(await load()).not.toHaveProperty('hint');
    expect(await load({ sections: ['owner'] })).not.toHaveProperty('hint');
  });
});

describe('identity and tools', () => {
  it('are written by tools as by REST, in their sections alone', async () => {
    saveSeed(folder.save);
    await open();
    const written = await call('update_identity', { spirit: { role: '新的角色' }, owner: { age: 33 } });
    expect(written).toMatchObject({ spirit: { role: '新的角色' }, owner: { age: 33, name: '张三' } });
    expect(folder.read('SPIRIT.md')).toBe(seedFiles['SPIRIT.md'].replace('你是用户的个人 AI 助手', '新的角色'));
    expect(folder.read('OWNER.md')).toBe(seedFiles['OWNER.md'].replace('年龄: 32', '年龄: 33'));
    await expect(call('update_identity')).rejects.toThrow('spirit, owner or both');
    await expect(call('update_identity', { owner: { age: -1 } })).rejects.toThrow('owner.age');
  });

  it.each([
    ['without a box', 'read_file', false, '- read_file: 读', '- [ ] read_file: 读'],
    ['with a box', 'fetch_url', true, '- [ ] fetch_url', '- [x] fetch_url'],
    ['with a line of its own', 'write_file', true, '  - 启用: false', '  - 启用: true'],
  ])('are turned on and off in their line, %s', async (_name, name, enabled, before, after) => {
    saveSeed(folder.save);
    await open();
    expect(await call('set_tool_enabled', { name, enabled })).toMatchObject({ name, enabled });
    expect(folder.read('TOOLS.md')).toBe(seedFiles['TOOLS.md'].replace(before, after));
    expect((await load({ sections: ['tools'] })).context.includes(name)).toBe(enabled);
    await call('set_tool_enabled', { name, enabled: !enabled });
    expect((await load({ sections: ['tools'] })).context.includes(name)).toBe(!enabled);
  });

  it('name the tools there are when there is none of the name', async () => {
    saveSeed(folder.save);
    await open();
    await expect(call('set_tool_enabled', { name: 'fly', enabled: true })).rejects.toThrow(
      'TOOLS.md has no tool fly; there are: read_file, write_file',
    );
  });
});

const bomb = (): string => {
  const levels = Array.from({ length: 12 }, (_unused, at) => {
    const inside = at === 0 ? 'lol' : `*a${at - 1}`;
    return `a${at}: &a${at} [${Array.from({ length: 9 }, () => inside).join(', ')}]`;
  });
  return `---\n${levels.join('\n')}\nrole: *a11\n---\n# x\n`;
};

describe('a file that cannot be read', () => {
  it.each([
    ['a link out of the workspace', 'TOOLS.md', 'tools', 'TOOLS.md is a link out of the workspace'],
    ['a link out of the workspace', DAY, 'daily', `${DAY} is a link out of the workspace`],
    ['a link out of the workspace', 'MEMORY.md', 'long_term', 'MEMORY.md is a link out of the workspace'],
  ])('is left out of the context, which says so: %s, %s', async (_name, path, section, message) => {
    saveSeed(folder.save);
    writeOutside();
    unlinkSync(join(folder.workspace, path));
    symlinkSync(join(folder.root, 'outside.md'), join(folder.workspace, path));
    await open();
    const { context, left_out } = await load();
    expect(context).toContain('你是用户的个人 AI 助手');
    expect(context).not.toContain('SECRET');
    expect(left_out).toEqual([{ section, reason: 'unreadable', entries: [], lines: 0, file: path, message }]);
    if (path === 'TOOLS.md') {
      expect(await call('get_identity')).toMatchObject({
        owner: { name: '张三' },
        tools: [],
        status: { unreadable: [{ path, message }] },
      });
    }
    unlinkSync(join(folder.workspace, path));
    folder.save(path, seedFiles[path as keyof typeof seedFiles]);
    await opened.memory.sync();
    expect((await load()).left_out).toEqual([]);
  });

  it.each([
    ['aliases that multiply', bomb(), 'has too many aliases'],
    ['a deep nesting', `---\nrole: ${'['.repeat(20_000)}\n---\n`, 'is nested too deeply'],
    ['lists in lists on one line', `---\n${'- '.repeat(20_000)}x\n---\n`, 'is nested too deeply'],
    ['no YAML', '---\nrole: [\n---\n', 'is not valid YAML'],
    ['more text than anybody writes', `---\nrole: ${'x'.repeat(60_000)}\n---\n`, 'is over 50000 characters'],
  ])('is reported, and everything else works: front matter with %s', async (_name, text, problem) => {
    saveSeed(folder.save);
    folder.save('SPIRIT.md', text);
    await open();
    const { context, left_out } = await load();
    expect(context).toContain('姓名: 张三');
    expect(left_out).toMatchObject([
      { section: 'persona', reason: 'unreadable', file: 'SPIRIT.md', message: expect.stringContaining(problem) },
    ]);
    const { status, owner } = await call<{ status: { unreadable: unknown }; owner: unknown }>('get_identity');
    expect(owner).toMatchObject({ name: '张三' });
    expect(status.unreadable).toMatchObject([{ path: 'SPIRIT.md', message: expect.stringContaining(problem) }]);
    await call('add_entry', { content: '新的' });
    await expect(call('update_identity', { spirit: { role: 'x' } })).rejects.toThrow('SPIRIT.md front matter');
    expect(folder.read('SPIRIT.md')).toBe(text);
  });

  function writeOutside(): void {
    folder.save('../outside.md', '# SECRET\n\n## x\n- SECRET: x\n\n### 10:00 - 手动\nSECRET\n');
  }
});

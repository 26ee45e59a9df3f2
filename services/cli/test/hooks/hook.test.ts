import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type HookBrief, openHookFolder } from '../../src/hooks/hook-folder.ts';
import { findProject } from '../../src/hooks/project.ts';
import { readHookLine } from '../../src/hooks/read-hook.ts';
import { readTranscript } from '../../src/hooks/read-transcript.ts';
import { renderContext, toBranchMark } from '../../src/hooks/render-context.ts';
import { handInMissed } from '../../src/hooks/run-hook.ts';
import type { HookServers } from '../../src/hooks/servers.ts';
import { work } from '../../src/hooks/work.ts';
import { runCli } from '../fixtures/run-cli.ts';

let folder: string;
let transcript: string;
let started: (readonly string[])[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom hook 中文-'));
  transcript = join(folder, 's1.jsonl');
  started = [];
  await mkdir(join(folder, 'shop', '.git'), { recursive: true });
  await mkdir(join(folder, 'shop', 'src'));
  await writeFile(transcript, '{"said":"one"}\n');
});
afterEach(() => rm(folder, { recursive: true }));

const hooksDir = () => join(folder, 'hooks');
const openFolder = () => openHookFolder(hooksDir(), () => new Date(0));

const toBrief = (...texts: readonly string[]): HookBrief => ({
  lines: texts.map((text) => ({ kind: 'decision', text, source: '2026-11-18 mem_1f0c3a9b', tokens: 40 })),
  counts: { rule: 0, decision: texts.length, open: 0, state: 0 },
});
const toContext = (...texts: readonly string[]) => ({ brief: toBrief(...texts), branches: {} });

function runHook(
  name: string,
  input: unknown = { session_id: 's1', transcript_path: transcript, cwd: join(folder, 'shop', 'src') },
  now: () => number = () => performance.now(),
) {
  return runCli(['hook', name], {
    env: { CONTEXTLOOM_HOOKS_DIR: hooksDir() },
    readInput: async () => (typeof input === 'string' ? input : JSON.stringify(input)),
    startDetached: (args) => void started.push(args),
    now,
  });
}

describe('a hook', () => {
  it('hands in a session that ended once, however often its end is told, and starts a worker', async () => {
    expect(await runHook('session-end')).toEqual({ code: 0, stdout: '', stderr: '' });
    await runHook('session-end');
    const jobs = await (await openFolder()).jobs();
    expect(jobs.map(([, job]) => job)).toEqual([
      {
        client: 'claude-code',
        session: 's1',
        transcript,
        size: 15,
        project: { name: 'shop', path: join(folder, 'shop') },
      },
    ]);
    expect(started).toEqual(Array(2).fill(['hook', 'work', '--project', join(folder, 'shop')]));
  });

  it('prints what earlier sessions left, and nothing where they left nothing', async () => {
    expect(await runHook('session-start')).toEqual({ code: 0, stdout: '', stderr: '' });
    await (await openFolder()).setContext('shop', toContext('Take Postgres.'));
    const { stdout } = await runHook('session-start');
    const answer = {
      hookEventName: 'SessionStart',
      additionalContext: expect.stringContaining('- Take Postgres. (2026-11-18 mem_1f0c3a9b)'),
    };
    expect(JSON.parse(stdout)).toEqual({ hookSpecificOutput: answer });
    // It was written down in 1970: another worker looks what has come since.
    expect(started).toHaveLength(2);
    await (await openHookFolder(hooksDir(), () => new Date())).setContext('shop', toContext('Take SQLite.'));
    expect(await runHook('session-start')).toMatchObject({ stdout: expect.stringContaining('SQLite') });
    expect(started).toHaveLength(2);
  });

  // The fields of the exchange as openai/codex, codex-rs/hooks/schema/generated, has them.
  it('tells a helper of a session the same, and starts nothing', async () => {
    await (await openFolder()).setContext('shop', toContext('Take Postgres.'));
    const { stdout } = await runHook('subagent-start', {
      agent_id: 'a1',
      agent_type: 'explorer',
      cwd: join(folder, 'shop'),
      hook_event_name: 'SubagentStart',
      model: 'gpt-5-codex',
      permission_mode: 'default',
      session_id: 's1',
      transcript_path: null,
      turn_id: 't1',
    });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: expect.stringContaining('Postgres') },
    });
    expect(started).toEqual([]);
  });

  it('hands in what was said before a context is compacted, and what comes after it when the session ends', async () => {
    const session = { session_id: 's1', transcript_path: transcript, cwd: join(folder, 'shop') };
    await runHook('session-start', session);
    const before = { ...session, hook_event_name: 'PreCompact', model: 'gpt-5-codex', trigger: 'auto', turn_id: 't1' };
    expect(await runHook('pre-compact', before)).toEqual({ code: 0, stdout: '', stderr: '' });
    const hooks = await openFolder();
    expect((await hooks.begun()).map(({ session: id }) => id)).toEqual(['s1']);
    await writeFile(transcript, '{"said":"one"}\n{"said":"two"}\n'.repeat(5));
    await runHook('session-end', session);
    // In the order in which they were said: the longer one goes on where the shorter one ends.
    expect((await hooks.jobs()).map(([, { size }]) => size)).toEqual([15, 150]);
    expect(await hooks.begun()).toEqual([]);
  });

  it('tells nothing that has ended, and has what is told written down again', async () => {
    const brief = toBrief('Take Postgres.', 'Take the pier.', 'Take the ferry.');
    const ends = [undefined, '2026-03-01T00:00:00.000Z', '2999-03-01T00:00:00.000Z'];
    const lines = brief.lines.map((line, at) => ({ ...line, ...(ends[at] && { ends: ends[at] }) }));
    const hooks = await openHookFolder(hooksDir(), () => new Date());
    await hooks.setContext('shop', { brief: { ...brief, lines }, branches: {} });
    const { stdout } = await runHook('session-start');
    for (const word of ['Postgres', 'ferry']) expect(stdout).toContain(word);
    expect(stdout).not.toContain('pier');
    expect((await hooks.contextOf('shop'))?.brief.counts).toMatchObject({ decision: 2 });
    expect(started).toHaveLength(1);
  });

  it('does not take for fresh what a wrong clock dated ahead', async () => {
    await (await openHookFolder(hooksDir(), () => new Date('2999-01-01T00:00:00Z'))).setContext(
      'shop',
      toContext('Take Postgres.'),
    );
    await runHook('session-start');
    expect(started).toHaveLength(1);
  });

  it('hands in a session whose end nobody told when the next one starts, once, and none that ended or has gone', async () => {
    const shop = { name: 'shop', path: join(folder, 'shop') };
    const toBegun = (session: string) => ({
      client: 'claude-code' as const,
      session,
      transcript: join(folder, `${session}.jsonl`),
      project: shop,
    });
    const toInput = (id: string) => ({ session_id: id, transcript_path: join(folder, `${id}.jsonl`), cwd: shop.path });
    const hooks = await openFolder();
    for (const id of ['killed', 'ended', 'next']) await writeFile(join(folder, `${id}.jsonl`), '{"said":"one"}\n');
    await runHook('session-start', toInput('killed'));
    for (const id of ['ended', 'gone']) await hooks.addBegun(toBegun(id));
    await runHook('session-end', toInput('ended'));
    await runHook('session-start', toInput('next'));
    const jobsOf = async () => (await hooks.jobs()).map(([, { session, size }]) => `${session} ${size}`).sort();
    expect(await jobsOf()).toEqual(['ended 15', 'killed 15']);
    for (const [file, job] of await hooks.jobs()) {
      await hooks.setProgress(job, job.size);
      await hooks.removeJob(file);
    }
    await handInMissed(hooks, toBegun('another'));
    // It may still run: what it says from now on is learnt the next time.
    expect(await jobsOf()).toEqual(['next 15']);
    expect((await hooks.begun()).map(({ session }) => session).sort()).toEqual(['killed', 'next']);
  }, 60_000);

  it.each(['startup', 'resume', 'clear', 'compact'])(
    'begins at once (%s) while a session before is still to be learnt from',
    async (source) => {
      await runHook('session-end');
      await (await openFolder()).setContext('shop', toContext('Take Postgres.'));
      const now = (): number => {
        throw new Error('nothing waits for a time');
      };
      const session = { session_id: 's2', cwd: join(folder, 'shop', 'src'), source };
      expect(await runHook('session-start', session, now)).toMatchObject({
        stdout: expect.stringContaining('Postgres'),
        stderr: '',
      });
    },
  );

  it.each([
    ['what is no JSON', 'session', 'not JSON'],
    ['what lacks the folder', { session_id: 's' }, 'lacks cwd'],
    ['a transcript that is gone', { session_id: 's', cwd: '/srv/shop', transcript_path: '/nowhere/s.jsonl' }, 'ENOENT'],
  ])('lets the client go on after %s, and says so', async (_name, input, words) => {
    expect(await runHook('session-end', input)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(words),
    });
    expect(await readFile(join(hooksDir(), 'hooks.log'), 'utf8')).toContain(words);
    expect(await readdir(join(hooksDir(), 'jobs'))).toEqual([]);
  });

  it.each([{ transcript_path: null }, { cwd: '/' }])('does nothing for a session with %j', async (fields) => {
    const session = { session_id: 's1', transcript_path: transcript, cwd: folder, ...fields };
    expect(await runHook('session-end', session)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(started).toEqual([]);
  });
});

describe('the project of a folder', () => {
  it('is the repository around it, the main one of a worktree, or the folder', async () => {
    const shop = { name: 'shop', path: join(folder, 'shop') };
    expect(await findProject(join(folder, 'shop', 'src'))).toEqual(shop);
    const worktree = join(folder, 'shop-fix');
    await mkdir(worktree);
    await writeFile(join(worktree, '.git'), `gitdir: ${join(folder, 'shop/.git/worktrees/shop-fix')}\n`);
    expect(await findProject(worktree)).toEqual(shop);
    const alone = join(folder, 'alone');
    expect(await findProject(alone)).toEqual({ name: 'alone', path: alone });
    expect(await findProject('/')).toBeUndefined();
  });
});

describe('what a session begins with', () => {
  const shop = () => ({ name: 'shop', path: join(folder, 'shop') });
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', ['-C', shop().path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  const onBranch = (name: string): HookBrief => {
    const { lines, counts } = toBrief('Take Postgres.');
    return { lines: lines.map((line) => ({ ...line, branch: { name, tokens: 12 } })), counts };
  };

  it('says so where it was learnt on a branch that is not merged, until it is, and not to a session on that branch', async () => {
    await rm(join(shop().path, '.git'), { recursive: true });
    await git('init', '-q', '-b', 'main');
    await git('commit', '-q', '--allow-empty', '-m', 'one');
    await git('checkout', '-q', '-b', 'fix/queue');
    await git('commit', '-q', '--allow-empty', '-m', 'two');
    const brief = onBranch('fix/queue');
    const tell = (cwd = shop().path) => renderContext(brief, { project: shop(), cwd });
    expect(await tell()).not.toContain('not merged');
    await git('checkout', '-q', 'main');
    expect(await tell()).toContain(`- Take Postgres.${toBranchMark('fix/queue')} (2026-11-18 mem_1f0c3a9b)`);
    const worktree = join(folder, 'shop-fix');
    await git('worktree', 'add', '-q', worktree, 'fix/queue');
    expect(await tell(worktree)).not.toContain('not merged');
    await git('merge', '-q', 'fix/queue');
    expect(await tell()).not.toContain('not merged');
  });

  it('is told without git, too', async () => {
    expect(await renderContext(onBranch('fix'), { project: shop(), cwd: shop().path })).toContain('- Take Postgres. (');
  });

  it('is nothing where nothing is known', async () => {
    expect(await renderContext(toBrief(), { project: shop(), cwd: folder })).toBe('');
  });
});

describe('the command line of a hook', () => {
  it('is read without the program, and left to it where something is wrong', () => {
    expect(readHookLine(['hook', 'session-start'])).toEqual({ event: 'session-start', client: 'claude-code' });
    const line = ['hook', 'session-end', '--client', 'codex', '--config', '/a b/c.json'];
    expect(readHookLine(line)).toEqual({ event: 'session-end', client: 'codex', config: '/a b/c.json' });
    for (const other of [
      ['hook', 'work'],
      ['hook', 'session-start', '--help'],
      ['hook', 'session-start', '--client', 'nano'],
      ['doctor'],
    ]) {
      expect(readHookLine(other)).toBeUndefined();
    }
  });
});

describe('learning from a session', () => {
  /** Servers that keep notes as project memory does, the same text once, and fail when they are told to. */
  function createServers() {
    const state = { read: [] as string[], stored: new Set<string>(), failAt: Number.POSITIVE_INFINITY, calls: 0 };
    const servers: HookServers = {
      call: async (_server, tool, args, schema) => {
        state.calls += 1;
        if (state.calls === state.failAt) throw new ContextloomError('unavailable', 'gone');
        if (tool === 'extract_project_notes') {
          const text = String(args['conversation_history']).replace(/^\{\}\n/, '');
          state.read.push(text);
          const notes = text
            .trim()
            .split('\n')
            .map((content) => ({ content_type: 'insight', content }));
          return schema.parse({ success: true, extractor: { kind: 'rules', name: 'rules' }, notes });
        }
        if (tool === 'mem.ingest_memory') {
          const isNew = state.stored.size < state.stored.add(String(args['content'])).size;
          const id = `mem_0000000${[...state.stored].indexOf(String(args['content']))}`;
          return schema.parse({ id, status: isNew ? 'created' : 'skipped', ts: 1 });
        }
        const items = [...state.stored].map((text, at) => {
          return { kind: 'decision', id: `mem_0000000${at}`, ts: 1, text, tokens: 30 };
        });
        return schema.parse({ text: '', counts: { rule: 0, decision: items.length, open: 0, state: 0 }, items });
      },
      close: async () => undefined,
    };
    return { state, servers };
  }
  const lines = (...said: string[]) => said.map((one) => `${JSON.stringify({ said: one })}\n`).join('');

  it('reads what is new of a session that goes on, and nothing of one that ended twice', async () => {
    const { state, servers } = createServers();
    const hooks = await openFolder();
    const options = { folder: hooks, servers, signal: new AbortController().signal };
    for (const said of [lines('one'), lines('one'), lines('one', 'two')]) {
      await writeFile(transcript, said);
      await runHook('session-end');
      await work(undefined, options);
    }
    expect(state.read).toEqual([lines('one'), lines('two')]);
    expect(state.stored.size).toBe(2);
    expect(await hooks.jobs()).toEqual([]);
    expect(JSON.stringify((await hooks.contextOf('shop'))?.brief)).toContain('two');
  });

  it.each([1, 2, 3, 4])(
    'goes on where it was cut off at call %i, and asks no model twice for what it answered',
    async (failAt) => {
      const { state, servers } = createServers();
      state.failAt = failAt;
      const options = { folder: await openFolder(), servers, signal: new AbortController().signal };
      await writeFile(transcript, lines('one', 'two'));
      await runHook('session-end');
      await expect(work(undefined, options)).rejects.toThrow('gone');
      await work({ name: 'shop', path: folder }, options);
      expect(state.read).toEqual([lines('one', 'two')]);
      expect([...state.stored]).toEqual(lines('one', 'two').trim().split('\n'));
      expect(JSON.stringify((await options.folder.contextOf('shop'))?.brief)).toContain('two');
    },
  );

  it('keeps the branch that each memory was learnt on first', async () => {
    const { servers } = createServers();
    const hooks = await openFolder();
    const options = { folder: hooks, servers, signal: new AbortController().signal };
    for (const [branch, said] of [
      ['main', lines('one')],
      ['fix', lines('one', 'two')],
    ] as const) {
      await writeFile(join(folder, 'shop', '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
      await writeFile(transcript, said);
      await runHook('session-end');
      await work(undefined, options);
    }
    const { brief, branches } = (await hooks.contextOf('shop')) ?? {};
    expect(branches).toEqual({ mem_00000000: 'main', mem_00000001: 'fix' });
    expect(brief?.lines.map(({ text, branch }) => [text, branch?.name])).toEqual([
      ['{"said":"one"}', 'main'],
      ['{"said":"two"}', 'fix'],
    ]);
  });

  it('reads a transcript in whole lines, without one that holds a file or is still being written', async () => {
    await writeFile(transcript, `${lines('a')}${JSON.stringify({ file: 'x'.repeat(300_000) })}\n${lines('b')}{"said":`);
    const parts: string[] = [];
    for await (const part of readTranscript(transcript, 0, 1_000_000)) parts.push(part);
    expect(parts).toEqual([lines('a', 'b')]);
  });
});

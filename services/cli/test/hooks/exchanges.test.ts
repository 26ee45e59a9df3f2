import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type HookClient, type HookEvent, hookClients } from '../../src/hooks/clients.ts';
import { openHookFolder } from '../../src/hooks/hook-folder.ts';
import { parseHookInput } from '../../src/hooks/hook-input.ts';
import type { Machine } from '../../src/machine.ts';
import { type CliRun, runCli } from '../fixtures/run-cli.ts';

let folder: string;
let machine: Machine;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom exchange 中文-'));
  machine = { platform: 'linux', home: join(folder, 'home'), env: {} };
  await mkdir(join(folder, 'shop', '.git'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const openFolder = () => openHookFolder(join(folder, 'hooks'), () => new Date());

async function fire(client: HookClient, event: HookEvent, input: object, env = {}): Promise<CliRun> {
  const hooks = await openFolder();
  const line = { kind: 'decision' as const, text: 'Take Postgres.', source: '2026-11-18 mem_1f0c3a9b', tokens: 40 };
  const counts = { rule: 0, decision: 1, open: 0, state: 0 };
  await hooks.setContext('shop', { brief: { lines: [line], counts }, branches: {} });
  return runCli(['hook', event, '--client', client], {
    env: { CONTEXTLOOM_HOOKS_DIR: join(folder, 'hooks'), CONTEXTLOOM_HOOKS_WORKER: 'false', ...env },
    machine,
    readInput: async () => JSON.stringify(input),
    startDetached: () => {
      throw new Error('no worker is wanted');
    },
  });
}

const brief = expect.stringContaining('- Take Postgres. (2026-11-18 mem_1f0c3a9b)');
const grouped = (event: string) => ({ hookSpecificOutput: { hookEventName: event, additionalContext: brief } });
const ID = 'b0ff98c0-8e01-4b73-bf92-9649b139931b';

interface Exchange {
  readonly client: HookClient;
  /** The input of each event as the client's documentation has it, and what is answered; `stored` for a session that is handed in. */
  readonly events: readonly (readonly [HookEvent, object, object | 'stored'])[];
}

/** The exchange with each client, by the documents that `hookClients` names. */
function exchanges(cwd: string, transcript: string): readonly Exchange[] {
  const claude = { session_id: ID, transcript_path: transcript, cwd, permission_mode: 'default' };
  const codex = { session_id: ID, transcript_path: transcript, cwd, model: 'gpt-5-codex', permission_mode: 'default' };
  const gemini = { session_id: ID, transcript_path: transcript, cwd, timestamp: '2026-11-20T08:00:00.000Z' };
  const copilot = { sessionId: ID, timestamp: 1_771_480_081_383, cwd };
  const opencode = { sessionID: ID, directory: cwd, program: '/opt/opencode/bin/opencode' };
  const cursor = {
    conversation_id: ID,
    generation_id: 'g1',
    model: 'gpt-5.2',
    cursor_version: '2.4.0',
    workspace_roots: [cwd],
    user_email: null,
    transcript_path: transcript,
  };
  return [
    {
      client: 'claude-code',
      events: [
        ['session-start', { ...claude, hook_event_name: 'SessionStart', source: 'clear' }, grouped('SessionStart')],
        [
          'subagent-start',
          { ...claude, hook_event_name: 'SubagentStart', agent_type: 'Explore' },
          grouped('SubagentStart'),
        ],
        [
          'pre-compact',
          { ...claude, hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: '' },
          'stored',
        ],
        ['session-end', { ...claude, hook_event_name: 'SessionEnd', reason: 'clear' }, 'stored'],
      ],
    },
    {
      client: 'codex',
      events: [
        ['session-start', { ...codex, hook_event_name: 'SessionStart', source: 'startup' }, grouped('SessionStart')],
        ['pre-compact', { ...codex, hook_event_name: 'PreCompact', trigger: 'auto', turn_id: 't1' }, 'stored'],
      ],
    },
    {
      client: 'gemini',
      events: [
        ['session-start', { ...gemini, hook_event_name: 'SessionStart', source: 'startup' }, grouped('SessionStart')],
        ['pre-compact', { ...gemini, hook_event_name: 'PreCompress', trigger: 'auto' }, 'stored'],
        ['session-end', { ...gemini, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' }, 'stored'],
      ],
    },
    {
      client: 'copilot',
      events: [
        ['session-start', { ...copilot, source: 'new', initialPrompt: 'hi' }, { additionalContext: brief }],
        [
          'subagent-start',
          { ...copilot, transcriptPath: transcript, agentName: 'explore' },
          { additionalContext: brief },
        ],
        ['pre-compact', { ...copilot, transcriptPath: transcript, trigger: 'auto', customInstructions: '' }, 'stored'],
        ['session-end', { ...copilot, reason: 'complete' }, 'stored'],
      ],
    },
    {
      client: 'opencode',
      events: [
        ['session-start', opencode, { context: brief }],
        ['subagent-start', opencode, { context: brief }],
        ['pre-compact', opencode, 'stored'],
        ['session-end', opencode, 'stored'],
      ],
    },
    {
      client: 'cursor',
      events: [
        [
          'session-start',
          {
            ...cursor,
            hook_event_name: 'sessionStart',
            session_id: ID,
            is_background_agent: false,
            composer_mode: 'agent',
          },
          { additional_context: brief },
        ],
        ['pre-compact', { ...cursor, hook_event_name: 'preCompact', trigger: 'auto', message_count: 45 }, 'stored'],
        [
          'session-end',
          { ...cursor, hook_event_name: 'sessionEnd', session_id: ID, reason: 'completed', duration_ms: 45_000 },
          'stored',
        ],
      ],
    },
  ];
}

/** Where a session is kept: Copilot CLI names it at some events alone, and OpenCode at none. */
async function openTranscript(client: HookClient): Promise<string> {
  const transcript =
    client === 'opencode'
      ? join(folder, 'home', '.local', 'share', 'opencode', 'opencode.db')
      : join(folder, 'home', '.copilot', 'session-state', ID, 'events.jsonl');
  await mkdir(dirname(transcript), { recursive: true });
  return transcript;
}

const clients = Object.keys(hookClients) as readonly HookClient[];

it.each(clients)('the exchange with %s is answered as it is documented', async (client) => {
  const cwd = join(folder, 'shop');
  const transcript = await openTranscript(client);
  const exchange = exchanges(cwd, transcript).find((one) => one.client === client);
  const written = Object.keys(hookClients[client].events);
  for (const [event, input, answer] of exchange?.events ?? []) {
    expect(written).toContain(event);
    await writeFile(transcript, '{"said":"one"}\n');
    // All sessions of OpenCode lie in one database: its last change tells how far one came.
    const size = client === 'opencode' ? Math.ceil((await stat(transcript)).mtimeMs) : 15;
    const { code, stdout, stderr } = await fire(client, event, input);
    expect([code, stderr]).toEqual([0, '']);
    const hooks = await openFolder();
    const jobs = await hooks.jobs();
    if (answer === 'stored') {
      expect(stdout).toBe('');
      expect(jobs.map(([, job]) => job)).toMatchObject([{ client, session: ID, transcript, size }]);
      for (const [file] of jobs) await hooks.removeJob(file);
    } else {
      expect(JSON.parse(stdout)).toEqual(answer);
      expect(jobs).toEqual([]);
    }
  }
  expect(exchange?.events.length).toBeGreaterThan(1);
});

it.each(clients)('a session of %s that is not to be stored is told the brief, and leaves nothing', async (client) => {
  const cwd = join(folder, 'shop');
  const transcript = await openTranscript(client);
  await writeFile(transcript, '{"said":"one"}\n');
  const { events = [] } = exchanges(cwd, transcript).find((one) => one.client === client) ?? {};
  for (const [event, input, answer] of events) {
    const { code, stdout } = await fire(client, event, input, { CONTEXTLOOM_STORE: 'false' });
    expect([code, stdout !== '']).toEqual([0, answer !== 'stored']);
    expect(await (await openFolder()).jobs()).toEqual([]);
  }
  // Nor is it taken for one whose end nobody told.
  const ids = { session_id: 'another', conversation_id: 'x', sessionId: 'x', sessionID: 'x' };
  const other = { ...ids, transcript_path: transcript, cwd, directory: cwd };
  await fire(client, 'session-start', { ...other, workspace_roots: [cwd] });
  expect(await (await openFolder()).jobs()).toEqual([]);
});

it('leaves a session alone in which a coding agent reads a conversation for a server', async () => {
  const cwd = join(folder, 'contextloom-reading-a1b2c3');
  await mkdir(cwd);
  const transcript = join(folder, 'reading.jsonl');
  await writeFile(transcript, '{"said":"one"}\n');
  const input = { session_id: ID, transcript_path: transcript, cwd };
  expect(await fire('claude-code', 'session-end', input)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await (await openFolder()).jobs()).toEqual([]);
});

describe('the input of a hook', () => {
  it.each([
    ['claude-code', { cwd: '/srv/shop' }, 'lacks session_id'],
    ['copilot', { cwd: '/srv/shop' }, 'lacks sessionId or session_id'],
    ['cursor', { session_id: 's', workspace_roots: [] }, 'lacks workspace_roots or cwd'],
    ['gemini', 'null', 'lacks session_id'],
    ['gemini', '[', 'not JSON'],
  ] as const)('of %s is told what it lacks', (client, input, words) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    expect(() => parseHookInput(text, client)).toThrow(words);
  });

  it('names no file outside of the folder of sessions', () => {
    const read = (sessionId: string) =>
      parseHookInput(JSON.stringify({ sessionId, cwd: '/srv' }), 'copilot', machine).transcript_path;
    expect(read('a-1')).toBe(join(folder, 'home/.copilot/session-state/a-1/events.jsonl'));
    expect(read('../../etc')).toBeUndefined();
  });
});

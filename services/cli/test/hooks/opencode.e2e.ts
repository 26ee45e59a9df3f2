import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseHistory } from '@contextloom/transcripts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openHookFolder } from '../../src/hooks/hook-folder.ts';
import { readParts } from '../../src/hooks/read-transcript.ts';
import { toHome } from '../fixtures/home.ts';
import { runCli } from '../fixtures/run-cli.ts';

let home: string;
let shop: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "contextloom open'code 中文-"));
  shop = join(home, 'shop');
  await mkdir(join(shop, '.git'), { recursive: true });
});
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

const openFolder = () => openHookFolder(join(home, 'hooks'), () => new Date());

/** Writes the plugin by `init`, and what calls it in the order in which OpenCode 1.18.33 was recorded to. */
async function writePlugin(): Promise<string> {
  const config = join(home, 'composition.json');
  const far = { url: 'http://127.0.0.1:9/mcp' };
  await writeFile(config, JSON.stringify({ mcpServers: { 'agent-mem': far, 'memory-processor': far } }));
  const machine = { platform: process.platform, home, env: {} };
  const written = await runCli(['init', '--client', 'opencode', '--hooks', '--config', config], { machine });
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('Start OpenCode again.') });
  const program = join(home, 'opencode.mjs');
  await writeFile(program, RECORDED);
  // OpenCode takes a plugin for a module whatever stands around it.
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  return program;
}

const RECORDED = `
import * as plugin from './.config/opencode/plugins/contextloom.js';
const [make, ...others] = Object.values(plugin);
if (others.length > 0) throw new Error('each export is called as a plugin');
const parents = { ses_helper: 'ses_first' };
const client = { session: { get: async ({ path }) => ({ data: { id: path.id, parentID: parents[path.id] } }) } };
const hooks = await make({ client, directory: process.argv[2], worktree: process.argv[2] });
const ask = async (sessionID) => {
  const system = ['You are a coding agent.'];
  await hooks['experimental.chat.system.transform']({ sessionID, model: {} }, { system });
  return system;
};
const idle = (sessionID) => hooks.event({ event: { type: 'session.idle', properties: { sessionID } } });
await hooks.event({ event: { type: 'plugin.added', properties: {} } });
await hooks.event({ event: { type: 'catalog.updated' } });
// The call that names the session, and the first of the conversation, come at the same time.
const told = await Promise.all([ask('ses_first'), ask('ses_first')]);
told.push(await ask('ses_helper'), await ask(undefined));
await idle('ses_helper');
await idle('ses_first');
await hooks['experimental.session.compacting']({ sessionID: 'ses_helper' }, { context: [] });
await hooks['experimental.session.compacting']({ sessionID: 'ses_first' }, { context: [] });
told.push(await ask('ses_second'));
await hooks.dispose();
console.log(JSON.stringify(told));
`;

async function runRecorded(program: string, more: Readonly<Record<string, string>> = {}) {
  const env = {
    PATH: process.env['PATH'],
    ...toHome(home),
    CONTEXTLOOM_HOOKS_DIR: join(home, 'hooks'),
    CONTEXTLOOM_HOOKS_WORKER: 'false',
    ...more,
  };
  const database = join(toHome(home)['XDG_DATA_HOME'] ?? home, 'opencode', 'opencode.db');
  await mkdir(join(database, '..'), { recursive: true });
  await writeFile(database, '');
  const { stdout } = await promisify(execFile)(process.execPath, [program, shop], { env });
  return { database, told: JSON.parse(stdout) as readonly (readonly string[])[] };
}

it('tells each session and each helper of OpenCode the brief, and hands in what was said', async () => {
  const hooks = await openFolder();
  const line = { kind: 'decision' as const, text: 'Take Postgres.', source: '2026-11-18 mem_1f0c3a9b', tokens: 40 };
  await hooks.setContext('shop', {
    brief: { lines: [line], counts: { rule: 0, decision: 1, open: 0, state: 0 } },
    branches: {},
  });
  const { database, told } = await runRecorded(await writePlugin());
  const briefed = ['You are a coding agent.', expect.stringContaining('- Take Postgres. (2026-11-18 mem_1f0c3a9b)')];
  expect(told).toEqual([briefed, briefed, briefed, ['You are a coding agent.'], briefed]);
  const jobs = (await hooks.jobs()).map(([, job]) => job);
  // Once before it was shortened, and nothing was said since; the helper's words stand in what its session got of it.
  expect(jobs.map(({ session }) => session).sort()).toEqual(['ses_first', 'ses_second']);
  for (const job of jobs) {
    expect(job).toMatchObject({ client: 'opencode', transcript: database, program: process.execPath });
    expect(job.project).toEqual({ name: 'shop', path: shop });
  }
  // Before it was shortened is not its end: that may still be missed.
  expect((await hooks.begun()).map(({ session }) => session)).toEqual(['ses_first']);
}, 120_000);

it('goes on without the hooks where their program is gone', async () => {
  const program = await writePlugin();
  const file = join(home, '.config', 'opencode', 'plugins', 'contextloom.js');
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replaceAll('contextloom.js hook', 'gone.js hook').replaceAll("contextloom.js' hook", "gone.js' hook"),
  );
  const { told } = await runRecorded(program);
  expect(told).toEqual(told.map(() => ['You are a coding agent.']));
  expect(await (await openFolder()).jobs()).toEqual([]);
}, 120_000);

/** A program that exports a session as OpenCode does, and ends in the same ways. */
async function writeExporter(session: object): Promise<string> {
  const program = join(home, 'opencode');
  await writeFile(join(home, 'exported.json'), JSON.stringify(session));
  const lines = [
    `#!${process.execPath}`,
    "const { readFileSync, writeSync } = require('node:fs');",
    'const [, , command, id] = process.argv;',
    "if (id === 'ses_gone') { console.error('Error: Session not found: ' + id); process.exit(1); }",
    "if (id === 'ses_busy') { console.error('Error: database is locked'); process.exit(1); }",
    `if (command === 'export') process.stdout.write(readFileSync(${JSON.stringify(join(home, 'exported.json'))}));`,
    // It does not wait until a pipe has taken it.
    'process.exit(0);',
  ];
  await writeFile(program, lines.join('\n'));
  await chmod(program, 0o755);
  return program;
}

it('reads what a session of OpenCode said since it was last read, however long', async () => {
  const message = (id: string, role: string, created: number, ...parts: readonly object[]) => ({
    info: { id, role, sessionID: 'ses_1', time: { created, ...(role === 'assistant' && { completed: created + 5 }) } },
    parts,
  });
  const text = (words: string) => ({ id: 'prt_1', type: 'text', text: words });
  const long = 'We never deploy on Friday. '.repeat(4_000);
  const program = await writeExporter({
    info: { id: 'ses_1', title: 'Queue', version: '1.18.33' },
    messages: [
      message('msg_1', 'user', 1_000, text('Which queue?')),
      message('msg_2', 'assistant', 1_010, { type: 'step-start' }, text('Postgres.'), { type: 'step-finish' }),
      message('msg_3', 'assistant', 1_020, { type: 'tool', state: { output: 'x'.repeat(1_000_000) } }),
      message('msg_4', 'user', 1_030, text(long)),
      message('msg_5', 'user', 1_040, text('Later.')),
    ],
  });
  const read = async (from: number, size: number, more: object = {}) => {
    const job = {
      client: 'opencode' as const,
      session: 'ses_1',
      transcript: home,
      size,
      program,
      project: { path: home },
    };
    const said: string[] = [];
    for await (const part of readParts({ ...job, ...more }, from)) {
      for (const { sessions } of parseHistory(part))
        said.push(...sessions.flatMap(({ turns }) => turns.map((turn) => turn.text)));
    }
    return said;
  };
  expect(await read(0, 1_035)).toEqual(['Which queue?', 'Postgres.', long.trim()]);
  expect(await read(1_010, 1_035)).toEqual(['Postgres.', long.trim()]);
  expect(await read(1_035, 2_000)).toEqual(['Later.']);
  expect(await read(2_000, 3_000)).toEqual([]);
  await expect(read(0, 1, { session: 'ses_gone' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(read(0, 1, { session: 'ses_busy' })).rejects.toMatchObject({ code: 'unavailable' });
  await expect(read(0, 1, { program: join(home, 'none') })).rejects.toMatchObject({ code: 'unavailable' });
}, 60_000);

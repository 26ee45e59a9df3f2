import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { searchResponseSchema } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  built,
  createFolder,
  type RunningKnowledgeBase,
  startKnowledgeBase,
  writeComposition,
} from './support/knowledge-base.ts';
import { writeConversations } from './support/series.ts';

const program = (name: 'batch' | 'import'): string => built(`memory-processor/dist/${name}.js`);
const ends: (() => Promise<void>)[] = [];
let service: RunningKnowledgeBase | undefined;
let folder = '';

beforeAll(async () => {
  const created = await createFolder();
  folder = created.path;
  service = await startKnowledgeBase(join(folder, 'service'));
  ends.push(service.stop, created.remove);
});

afterAll(async () => {
  for (const end of ends) await end();
});

const kbUrl = (): string => service?.url ?? '';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  name: 'batch' | 'import',
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = folder,
): Promise<Ended> {
  return new Promise((resolve) => {
    const own = { PATH: process.env['PATH'], MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal') };
    execFile(process.execPath, [program(name), ...words], { cwd, env: { ...own, ...env } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const runImport = (words: readonly string[], env: Readonly<Record<string, string>>, cwd = folder): Promise<Ended> =>
  run('import', ['import', ...words, '--yes'], env, cwd);

describe('an import', () => {
  it('takes the user from each conversation, an import for each, and finds all known the second time', async () => {
    const file = await writeConversations(folder, 'plain', 2, 3);
    const first = await runImport([file, '--user-from-transcript'], { KB_URL: kbUrl() });
    expect([first.code, first.stderr]).toEqual([0, expect.not.stringContaining('taken for the user')]);
    expect(first.stdout).toContain('2 imports: 6 memories saved from 2 conversations; rated by written rules.');
    const again = await runImport([file, '--user-from-transcript', '--json'], { KB_URL: kbUrl() });
    const { success, import: outcome } = JSON.parse(again.stdout);
    expect([success, outcome]).toMatchObject([
      true,
      {
        imports: ['plain-0', 'plain-1'].map((user) => ({ user_id: user })),
        saved: 0,
        nothing: 2,
        pieces: 6,
        known_pieces: 6,
        extractor: { kind: 'rules', name: 'rules' },
      },
    ]);
    const listed = await run('import', ['imports', '--json'], { KB_URL: kbUrl() });
    expect(JSON.parse(listed.stdout).imports).toEqual(
      expect.arrayContaining(
        ['plain-0', 'plain-1'].map((user) => expect.objectContaining({ user_id: user, saved: 3 })),
      ),
    );
    const [{ id }] = outcome.imports;
    const undone = await run('import', ['imports', 'undo', id, '--json'], { KB_URL: kbUrl() });
    expect(JSON.parse(undone.stdout)).toMatchObject({ user_id: 'plain-0', removed: 3 });
  });

  it('names a conversation without an id when the user is to be taken from it, and saves the others', async () => {
    const file = await writeConversations(folder, 'named', 1, 1);
    await writeFile(join(folder, 'nameless.txt'), 'Anna: I love tea.');
    const { code, stdout } = await runImport([file, 'nameless.txt', '--user-from-transcript', '--json'], {
      KB_URL: kbUrl(),
    });
    const { previews, import: outcome } = JSON.parse(stdout);
    expect([code, outcome]).toMatchObject([1, { saved: 1, imports: [{ user_id: 'named-0' }] }]);
    expect(previews[1].faults).toEqual([
      { place: 'nameless.txt', reason: 'a conversation has no id to take the user from: name the user with --user' },
    ]);
  });

  it('is what a job with the older name of the command runs', async () => {
    const file = await writeConversations(folder, 'older', 1, 2);
    const first = await run('batch', [file, '--user', 'odo', '--json'], { KB_URL: kbUrl() });
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/^batch\.js is the older name of .*\n/u)]);
    expect(JSON.parse(first.stdout)).toMatchObject({ success: true, import: { saved: 2 } });
    const again = await runImport([file, '--user', 'odo', '--json'], { KB_URL: kbUrl() });
    expect(JSON.parse(again.stdout).import).toMatchObject({ id: JSON.parse(first.stdout).import.id, saved: 0 });
    expect((await run('batch', [file], { KB_URL: kbUrl() })).code).toBe(2);
  });

  it('saves into the knowledge base of a composition when there is no HTTP at all', async () => {
    await writeComposition(folder);
    await writeFile(join(folder, 'chat.txt'), '# 2024-03-05\n小明：我对花生过敏。');
    for (const counts of ['1 memory saved from', '0 memories saved from']) {
      const { code, stdout } = await runImport(['chat.txt', '--user', 'xm'], { LOG_LEVEL: 'silent' });
      expect([code, stdout]).toEqual([0, expect.stringContaining(counts)]);
    }
  });

  it('finds the composition of the product from any folder, and lets its knowledge base say why it cannot start', async () => {
    const empty = await createFolder();
    ends.push(empty.remove);
    await writeFile(join(empty.path, 'chat.txt'), 'Anna: I love tea.');
    const words = ['chat.txt', '--user', 'anna'];
    const saved = await runImport(words, { KB_DATA_DIR: join(empty.path, 'data') }, empty.path);
    expect([saved.code, saved.stdout]).toEqual([0, expect.stringContaining('1 memory saved')]);
    const noFolder = { KB_DATA_DIR: join(empty.path, 'chat.txt') };
    const { code, stdout, stderr } = await runImport(words, noFolder, empty.path);
    expect([code, stdout]).toEqual([1, expect.stringContaining('0 memories saved from 1 conversation, 1 failed')]);
    expect(stderr).toContain('the store cannot be opened: check its folder and the rights on it (KB_DATA_DIR is ');
    expect(stderr).toContain(': the store cannot be opened: check its folder');
    const absent = await runImport([...words, '--config', 'absent.json'], {}, empty.path);
    expect([absent.code, absent.stderr]).toEqual([
      1,
      expect.stringMatching(/there is no composition .* or MCP_CONFIG\n$/u),
    ]);
  });

  it('ends with 1 for a bad file among good ones, 1 for a dead knowledge base, 2 for wrong usage', async () => {
    const good = await writeConversations(folder, 'good', 1, 1);
    const mixed = await runImport([good, 'missing.txt', '--user', 'anna'], { KB_URL: kbUrl() });
    expect([mixed.code, mixed.stdout, mixed.stderr]).toEqual([
      1,
      expect.stringMatching(/missing\.txt: there is no such file[\s\S]*1 memory saved/u),
      expect.any(String),
    ]);
    const dead = await runImport([good, '--user', 'ben'], { KB_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' });
    expect(dead.code).toBe(1);
    expect((await runImport([good], { KB_URL: kbUrl() })).code).toBe(2);
    expect((await runImport([good, '--user', 'a'], { KB_URL: 'no address' })).code).toBe(2);
  });

  it('keeps episodes so that a search lifts those around what it finds, of the same user alone', async () => {
    const say = (words: string): string => Array.from({ length: 5 }, (_, at) => `Ben: ${words}, ${at}.`).join('\n');
    const windows = [
      `${say('Hm')}\nBen: Where did Anna go on her holiday?`,
      `${say('Oh')}\nAnna: Graz, it rained all day.`,
      `${say('Ah')}\nBen: Poor you!`,
    ];
    await writeFile(join(folder, 'talk.txt'), windows.join('\n'));
    for (const user of ['ida', 'jon']) {
      const { code } = await runImport(['talk.txt', '--user', user, '--transcript-id', 'talk'], {
        KB_URL: kbUrl(),
      });
      expect(code).toBe(0);
    }
    const request = { query: 'Where did Anna go on holiday?', metadata_filter: { user_id: 'ida' }, explain: true };
    const response = await fetch(`${kbUrl()}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const { results } = searchResponseSchema.parse(await response.json());
    expect(new Set(results.map(({ content }) => content))).toEqual(new Set(windows));
    expect(results.map(({ metadata }) => metadata['user_id'])).toEqual(['ida', 'ida', 'ida']);
    const [asked, answered, after] = windows.map((content) => results.find((one) => one.content === content)?.explain);
    const ownOf = (one: typeof asked): number => one?.neighbours?.own ?? one?.fused ?? 0;
    expect(answered?.neighbours?.given).toBeCloseTo((ownOf(asked) + ownOf(after)) / 5, 9);
    expect(asked?.neighbours?.given ?? 0).toBeCloseTo(ownOf(answered) / 5, 9);
  });
});

/** Starts it in a folder that is nobody's, extracts memories and processes a transcript; the answers by their ids, 1 and 2. */
async function callServer(env: Readonly<Record<string, string>>): Promise<ReadonlyMap<unknown, string>> {
  const child = spawn(process.execPath, [built('memory-processor/dist/server.js')], {
    cwd: parse(process.cwd()).root,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const call = (id: number, name: string, args: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;
  const clientInfo = { name: 'test', version: '0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  child.stdin.write(call(1, 'extract_memories', { conversation_history: 'Anna: I love tea.' }));
  child.stdin.write(call(2, 'process_transcript', { user_id: 'anna', conversation_history: 'Anna: I love tea.' }));
  const answers = new Map<unknown, string>();
  child.stdout.setEncoding('utf8');
  let buffer = '';
  for await (const chunk of child.stdout) {
    buffer += String(chunk);
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) answers.set((JSON.parse(line) as { id: unknown }).id, line);
    if (answers.has(1) && answers.has(2)) child.stdin.end();
  }
  return answers;
}

describe('the server', () => {
  it('finds the composition of the installation from any folder', async () => {
    const empty = await createFolder();
    ends.push(empty.remove);
    const answers = await callServer({ KB_DATA_DIR: join(empty.path, 'data') });
    expect(answers.get(2)).toContain('"memories_saved":1');
  });

  it('works alone without a knowledge base until something is to be saved, and then says what is missing', async () => {
    const answers = await callServer({ MCP_CONFIG: '/nonexistent/mcp_config.json' });
    expect(answers.get(1)).toContain('"importance":8');
    expect(answers.get(2)).toContain('"isError":true');
    expect(answers.get(2)).toContain('no knowledge base to keep memories in: there is no composition /nonexistent');
  });
});

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTestComposition } from './fixtures/composition.ts';
import { runCli } from './fixtures/run-cli.ts';

const conversation = fileURLToPath(new URL('../examples/harbour-workshop.en.json', import.meta.url));

let folder: string;
let config: string;
let saved: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-real-'));
  config = await writeTestComposition(folder);
  await copyFile(conversation, join(folder, 'chat.json'));
});

afterAll(() => rm(folder, { recursive: true }));

// Every call starts the real aggregator over stdio, with the real servers behind it and no HTTP anywhere.
const run = (...args: string[]) => runCli(['--config', config, ...args], { cwd: folder });

describe('the commands on the real composition, each with an aggregator of its own', () => {
  it('remember a conversation, find it, and use it in a prompt', async () => {
    const remembered = await run('remember', 'chat.json', '--user', 'tess', '--json');
    expect(remembered.stderr).toBe('');
    saved = JSON.parse(remembered.stdout).memories_saved;
    expect(saved).toBeGreaterThanOrEqual(10);

    const question = 'What is Kit allergic to?';
    const found = JSON.parse((await run('memories', '--user', 'tess', '--query', question, '--json')).stdout);
    expect(found.total_memories).toBe(saved);
    expect(found.memories.some(({ content }: { content: string }) => content.includes('walnuts'))).toBe(true);

    const prompt = await run('prompt', 'marlow', question, '--user', 'tess');
    expect(prompt.stdout).toMatch(/^\[Supplementary memory context\]\n/);
    expect(prompt.stdout).toContain('walnuts');
    expect(prompt.stdout).toContain('# Marlow System Prompt');
  });

  it('add nothing when the same conversation comes again', async () => {
    expect((await run('remember', 'chat.json', '--user', 'tess')).code).toBe(0);
    expect(JSON.parse((await run('memories', '--user', 'tess', '--json')).stdout).total_memories).toBe(saved);
  });

  it("show nobody another user's memories", async () => {
    const listed = await run('memories', '--user', 'ros', '--query', 'walnuts');
    expect(listed.stdout).toBe('Nothing is remembered about ros that matches.\n');
    expect((await run('prompt', 'marlow', 'walnuts?', '--user', 'ros')).stdout).not.toContain('walnuts');
  });

  it('name the personas there are when one is unknown', async () => {
    const { code, stderr } = await run('prompt', 'ishmael', 'hello', '--user', 'tess');
    expect(code).toBe(1);
    expect(stderr).toMatch(/ishmael.*marlow, uozumi/);
  });

  it('show every server running', async () => {
    const { stdout } = await run('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'running' });
  });
});

describe('one sentence', () => {
  const own = (...args: string[]) => runCli(['--config', single, ...args], { env: { USER: 'una' } });
  let single: string;
  let place: string;
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'contextloom-single-'));
    single = await writeTestComposition(place);
  });
  afterAll(() => rm(place, { recursive: true }));

  it('is remembered of who uses the machine, found by its question, corrected and forgotten, without --user', async () => {
    expect((await own('recall', 'Where do I live?')).stderr).toBe(
      'contextloom: --user says whose memories: nobody has any yet\n',
    );
    const { stdout: kept } = await own('remember', 'I live in Leith.');
    expect(kept).toMatch(/^Remembered of una: I live in Leith\.\n {2}\S+\n$/);
    const id = kept.trim().split(/\s+/u).at(-1) ?? '';
    const lives = async () => (await own('recall', 'Where do I live?')).stdout;
    expect(await lives()).toMatch(/^1\. .*Leith.*\n {3}\d{4}-\d\d-\d\d {2}\S+\n/);
    await own('correct', id, 'I live in Porto.', '--dry-run');
    expect(await lives()).toContain('Leith');
    expect((await own('correct', id, 'I live in Porto.')).code).toBe(0);
    expect(await lives()).toContain('Porto');
    expect(await lives()).not.toContain('Leith');
    await own('remember', '我养了一只鹅', '--json');
    expect((await own('forget', id)).stdout).toContain('Nothing was erased: --yes erases this, for good.');
    expect(await lives()).toContain('Porto');
    expect((await own('forget', id, '--yes')).code).toBe(0);
    expect(await lives()).not.toContain('Porto');
    const { memories } = JSON.parse((await own('recall', '鹅', '--json')).stdout);
    expect(memories[0].text).toContain('一只鹅');
  });

  it('asks for --user where several have memories, and names them', async () => {
    await own('remember', 'I keep a goat.', '--user', 'vic');
    const { code, stderr } = await own('memories');
    expect(stderr).toBe('contextloom: --user says whose memories: there are those of una, vic\n');
    expect(code).toBe(1);
  });

  it('is kept up to the end of a day, or to a time', async () => {
    const until = async (date: string) => {
      const { stdout } = await own(
        'remember',
        `The gate code of ${date} is 4711.`,
        '--user',
        'vic',
        '--until',
        date,
        '--json',
      );
      return JSON.parse(stdout).message;
    };
    const nextDay = new Date(2999, 0, 2).toISOString();
    expect(await until('2999-01-01')).toContain(`It is forgotten at ${nextDay}.`);
    expect(await until('2999-01-01T08:00:00+02:00')).toContain('It is forgotten at 2999-01-01T06:00:00.000Z.');
    const { stderr } = await own('remember', 'The gate code is 4711.', '--user', 'vic', '--until', '2001-01-01');
    expect(stderr).toContain('expires_at must be in the future');
    expect((await own('remember', single, '--user', 'vic', '--until', '2999-01-01')).stderr).toContain(
      '--until is of one sentence',
    );
  });

  it('is told from a file that is not there, and takes no option of a conversation', async () => {
    expect((await own('remember', 'absent.txt', '--user', 'vic')).stderr).toBe('contextloom: cannot read absent.txt\n');
    expect((await own('remember', 'my old chat.txt', '--user', 'vic')).stderr).toContain('cannot read my old chat.txt');
    const { stderr } = await own('remember', 'I keep a goat.', '--user', 'vic', '--dry-run');
    expect(stderr).toBe(
      'contextloom: there is no file "I keep a goat.", and a sentence takes no option but --user and --until\n',
    );
  });
});

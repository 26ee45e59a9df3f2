import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';
import { type ScriptedAggregator, startScriptedAggregator } from './fixtures/scripted-aggregator.ts';

let aggregator: ScriptedAggregator;
let folder: string;

beforeAll(async () => {
  aggregator = await startScriptedAggregator();
  folder = await mkdtemp(join(tmpdir(), 'contextloom-cli-'));
  await writeFile(join(folder, 'chat.txt'), 'Ann: hello\n');
});

afterAll(async () => {
  await aggregator.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => runCli(['--url', aggregator.url, ...args], { cwd: folder });
const lastCall = () => aggregator.calls.at(-1);

describe('contextloom remember', () => {
  it('sends the text of the file, without a byte order mark, and what it was told about it', async () => {
    await writeFile(join(folder, 'marked.txt'), '\uFEFFAnn: 你好\n');
    await run('remember', 'marked.txt', '--user', 'ann', '--transcript', 'chat-1', '--force', '--date', '2025-03-14');
    expect(lastCall()?.args).toEqual({
      user_id: 'ann',
      conversation_history: 'Ann: 你好\n',
      transcript_id: 'chat-1',
      conversation_date: '2025-03-14',
      undated_turns: 'none',
      force_save: true,
      retry_failed: false,
      dry_run: false,
    });
  });

  it('has failed pieces read again with --retry-failed', async () => {
    await run('remember', 'chat.txt', '--user', 'ann', '--retry-failed');
    expect(lastCall()?.args).toMatchObject({ retry_failed: true, dry_run: false });
  });

  it('shows the most important memories first, the counts and who made them', async () => {
    const { stdout } = await run('remember', 'chat.txt', '--user', 'ann');
    expect(stdout.indexOf('more important')).toBeLessThan(stdout.indexOf('less important'));
    expect(stdout).toMatch(/┘\nkept: 2\n2 of 3 memories saved, made by written rules \(episodes\)\n$/);
  });

  it('tells what was not kept and why, which pieces failed, and what the model cost', async () => {
    const { stdout } = await run('remember', 'chat.txt', '--user', 'model-user');
    expect(stdout.slice(stdout.indexOf('kept:'))).toBe(`kept: 2; 4 pieces known before
not kept: 13
  importance below 3: 12
  it says the same as another: 1
failed pieces: 7
  chat-1 1-6: the model gave no readable answer
  chat-1 7-12: the model gave no readable answer
  chat-1 13-18: the model gave no readable answer
  chat-1 19-24: the model gave no readable answer
  chat-1 25-30: the model gave no readable answer
  and 2 more
model: 14 calls, 20,123 input tokens, 3,456 output tokens, $0.0123
2 of 3 memories saved, made by the model scripted
`);
  });

  it('refuses a file over 8 MB at an address, and names the command that reads it', async () => {
    await writeFile(join(folder, 'huge.txt'), '');
    await truncate(join(folder, 'huge.txt'), 8 * 1024 * 1024 + 1);
    const { code, stderr } = await run('remember', 'huge.txt', '--user', 'ann');
    expect(stderr).toContain('contextloom import reads files of any size');
    expect(code).toBe(1);
  });

  it('says which file cannot be read', async () => {
    const { code, stderr } = await run('remember', 'absent.txt', '--user', 'ann');
    expect(stderr).toBe('contextloom: cannot read absent.txt\n');
    expect(code).toBe(1);
  });

  it('says that a folder is a folder, and what it wants', async () => {
    const { code, stderr } = await run('remember', folder, '--user', 'ann');
    expect(stderr).toBe(
      `contextloom: ${folder} is a folder: name one transcript file; contextloom import reads folders\n`,
    );
    expect(code).toBe(1);
  });

  it('refuses a file that is not UTF-8 text', async () => {
    await writeFile(join(folder, 'latin1.txt'), Buffer.from([0x41, 0x3a, 0x20, 0xe9, 0x0a]));
    const { code, stderr } = await run('remember', 'latin1.txt', '--user', 'ann');
    expect(stderr).toBe('contextloom: latin1.txt is not UTF-8 text: contextloom import reads other encodings\n');
    expect(code).toBe(1);
  });
});

describe('contextloom remember --dry-run', () => {
  const dryRun = (user: string, ...args: string[]) => run('remember', 'chat.txt', '--user', user, '--dry-run', ...args);

  it('tells what the model would be asked and what it would cost, and saves nothing', async () => {
    const { code, stdout } = await dryRun('model-user');
    expect(lastCall()?.args).toMatchObject({ dry_run: true });
    expect(stdout).toBe(`pieces         12
known before   4
calls          8
input tokens   10,240
output tokens  2,400 (a guess)
price          $0.0031 (LLM_INPUT_PRICE and LLM_OUTPUT_PRICE)
Nothing was saved. Memories would be made by the model scripted.
`);
    expect(code).toBe(0);
  });

  it('tells what is missing to know the price', async () => {
    expect((await dryRun('unpriced')).stdout).toContain('price          unknown (LLM_INPUT_PRICE is not set)\n');
  });

  it('knows no price where no model is asked', async () => {
    const { stdout } = await dryRun('rules-user');
    expect(stdout).toContain('calls          0\n');
    expect(stdout).toContain('price          none (no model is asked)\n');
    expect(stdout).toMatch(/made by written rules \(episodes\)\.\n$/);
  });

  it('says so when there is no estimate', async () => {
    const { code, stdout } = await dryRun('nothing-user');
    expect(stdout).toMatch(/^The memory processor gave no estimate\.\nNothing was saved\./);
    expect(code).toBe(0);
  });

  it('fails when a memory processor that knows no dry runs has saved memories', async () => {
    const { code, stdout, stderr } = await dryRun('outdated');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^contextloom: the memory processor does not know dry runs: it saved 2 memories/);
  });

  it('prints one JSON document with --json', async () => {
    expect(JSON.parse((await dryRun('model-user', '--json')).stdout)).toMatchObject({
      memories_saved: 0,
      estimate: { pieces: 12, pieces_known: 4, calls: 8, price_usd: 0.0031 },
    });
  });
});

describe('contextloom extract', () => {
  it('shows every memory that was found, and says that nothing was saved', async () => {
    const { code, stdout } = await run('extract', 'chat.txt', '--transcript', 'chat-1', '--date', '2025-03-14');
    expect(lastCall()).toEqual({
      tool: 'extract_memories',
      args: { conversation_history: 'Ann: hello\n', transcript_id: 'chat-1', conversation_date: '2025-03-14' },
    });
    expect(stdout.match(/memory number \d/g)).toHaveLength(7);
    expect(stdout.slice(stdout.indexOf('kept:'))).toBe(`kept: 7
not kept: 2
  importance below 3: 2
model: 1 call, 20,123 input tokens, 3,456 output tokens
7 memories found, made by the model scripted; nothing was saved
`);
    expect(code).toBe(0);
  });

  it('shows no table when there is nothing to show', async () => {
    const { stdout } = await run('extract', 'chat.txt', '--transcript', 'empty');
    expect(stdout).toBe('kept: 0\n0 memories found, made by the model scripted; nothing was saved\n');
  });

  it('prints the answer with --json', async () => {
    const { stdout } = await run('extract', 'chat.txt', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ success: true, extractor: { kind: 'model', name: 'scripted' } });
  });

  it('says which file cannot be read', async () => {
    const { code, stderr } = await run('extract', 'absent.txt');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'contextloom: cannot read absent.txt\n' });
  });
});

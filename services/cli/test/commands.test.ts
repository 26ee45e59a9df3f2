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
});

afterAll(async () => {
  await aggregator.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => runCli(['--url', aggregator.url, ...args], { cwd: folder });
const lastCall = () => aggregator.calls.at(-1);

describe('contextloom prompt', () => {
  it('asks for the prompt of the persona with as many memories as wanted', async () => {
    await run('prompt', 'marlow', 'What now?', '--user', 'tess', '--user-name', 'Tess', '--top-k', '7');
    expect(lastCall()).toEqual({
      tool: 'build_prompt_with_context',
      args: { persona_name: 'marlow', user_id: 'tess', user_name: 'Tess', user_query: 'What now?', memory_top_k: 7 },
    });
  });

  it('gives a pipe the prompt byte for byte', async () => {
    const { code, stdout } = await run('prompt', 'marlow', 'What now?', '--user', 'tess');
    expect(stdout).toBe('memory\n\n---\n\npersona \u001b[31mred\r\n\n');
    expect(code).toBe(0);
  });

  it('lets no control character of a prompt reach a terminal', async () => {
    const args = ['--url', aggregator.url, 'prompt', 'marlow', 'x', '--user', 'tess'];
    const { stdout } = await runCli(args, { isTTY: true });
    expect(stdout).toBe('memory\n\n---\n\npersona \uFFFD[31mred\n\n');
  });

  it('says on standard error which source is missing and still succeeds', async () => {
    const { code, stderr } = await run('prompt', 'marlow', 'alone', '--user', 'tess');
    expect(stderr).toBe('contextloom: without knowledge-base: did not answer in 5000 ms\n');
    expect(code).toBe(0);
  });

  it("passes on the aggregator's reason on one line with exit code 1", async () => {
    const { code, stdout, stderr } = await run('prompt', 'nobody', 'x', '--user', 'tess');
    expect(stderr).toBe('contextloom: no persona "nobody"; there are: marlow\n');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('prints one JSON document with --json, of a failure too', async () => {
    const good = await run('prompt', 'marlow', 'x', '--user', 'tess', '--json');
    expect(JSON.parse(good.stdout)).toMatchObject({ status: 'complete', sources: [{ server: 'persona-marlow' }] });
    const bad = await run('--json', 'prompt', 'nobody', 'x', '--user', 'tess');
    expect(JSON.parse(bad.stdout)).toMatchObject({
      success: false,
      error: { message: expect.stringContaining('nobody') },
    });
    expect(bad.code).toBe(1);
  });

  it('ends with code 1 and one line when nothing listens at the address', async () => {
    const args = ['--url', 'http://127.0.0.1:9/mcp', 'prompt', 'marlow', 'x', '--user', 'tess'];
    const { code, stderr } = await runCli(args);
    expect(stderr).toMatch(/^contextloom: context-aggregator cannot .*\n$/);
    expect(code).toBe(1);
  });

  it('ends with code 1 when the user interrupts it', async () => {
    const args = ['--url', aggregator.url, 'prompt', 'marlow', 'x', '--user', 'tess'];
    const { code, stderr } = await runCli(args, { signal: AbortSignal.abort() });
    expect(stderr).toBe('contextloom: interrupted\n');
    expect(code).toBe(1);
  });
});

describe('contextloom memories', () => {
  it('sends query, type and limit', async () => {
    await run('memories', '--user', 'tess', '--query', '芒果', '--type', 'episode', '--limit', '3');
    expect(lastCall()?.args).toEqual({ user_id: 'tess', query: '芒果', memory_type: 'episode', top_k: 3 });
  });

  it('shows a table with rating, date, type, source and text, and how many there are', async () => {
    const { stdout } = await run('memories', '--user', 'tess');
    expect(stdout).toMatch(/8\.3 │ 2025-01-14 │ episode │ chat-1, turns 8 to 9 │ Tess: Kit is badly allergic/);
    expect(stdout).toMatch(/– │ 2025-03-01 │ – +│ – +│ 知夏：我对芒果过敏。/);
    expect(stdout).toMatch(/2 of 24 memories of tess\n$/);
  });

  it('says so when nothing matches', async () => {
    const { code, stdout } = await run('memories', '--user', 'stranger');
    expect(stdout).toBe('Nothing is remembered about stranger that matches.\n');
    expect(code).toBe(0);
  });

  it('prints one JSON document with --json', async () => {
    const { stdout } = await run('memories', '--user', 'tess', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ user_id: 'tess', total_memories: 24 });
  });
});

describe('contextloom remember', () => {
  it('sends the text of the file, without a byte order mark, and what it was told about it', async () => {
    await writeFile(join(folder, 'chat.txt'), '\uFEFFAnn: 你好\n');
    await run('remember', 'chat.txt', '--user', 'ann', '--transcript', 'chat-1', '--force');
    expect(lastCall()?.args).toEqual({
      user_id: 'ann',
      conversation_history: 'Ann: 你好\n',
      transcript_id: 'chat-1',
      force_save: true,
    });
  });

  it('shows the most important memories first, the counts and who made them', async () => {
    await writeFile(join(folder, 'chat.txt'), 'Ann: hello\n');
    const { stdout } = await run('remember', 'chat.txt', '--user', 'ann');
    expect(stdout.indexOf('more important')).toBeLessThan(stdout.indexOf('less important'));
    expect(stdout).toMatch(/2 of 3 memories saved, made by written rules \(episodes\)\n$/);
  });

  it('refuses a file over 8 MB and names the batch command', async () => {
    await writeFile(join(folder, 'huge.txt'), '');
    await truncate(join(folder, 'huge.txt'), 8 * 1024 * 1024 + 1);
    const { code, stderr } = await run('remember', 'huge.txt', '--user', 'ann');
    expect(stderr).toContain('node services/memory-processor/dist/batch.js');
    expect(code).toBe(1);
  });

  it('says which file cannot be read', async () => {
    const { code, stderr } = await run('remember', 'absent.txt', '--user', 'ann');
    expect(stderr).toBe('contextloom: cannot read absent.txt\n');
    expect(code).toBe(1);
  });

  it('refuses a file that is not UTF-8 text', async () => {
    await writeFile(join(folder, 'latin1.txt'), Buffer.from([0x41, 0x3a, 0x20, 0xe9, 0x0a]));
    const { code, stderr } = await run('remember', 'latin1.txt', '--user', 'ann');
    expect(stderr).toBe('contextloom: latin1.txt is not UTF-8 text\n');
    expect(code).toBe(1);
  });
});

describe('contextloom status', () => {
  it('shows every server with its tools or the reason why not', async () => {
    const { code, stdout } = await run('status');
    expect(stdout).toMatch(/persona-marlow +│ running +│ +6 │/);
    expect(stdout).toMatch(/knowledge-base +│ unavailable │ +– │ it cannot be started/);
    expect(stdout).toMatch(/context-aggregator is degraded\n$/);
    expect(code).toBe(0);
  });

  it('prints one JSON document with --json', async () => {
    const { stdout } = await run('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'degraded' });
  });
});

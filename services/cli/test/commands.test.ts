import { mkdtemp, rm } from 'node:fs/promises';
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

  it('says with --explain where each line comes from, what was left out, and what each source brought', async () => {
    const { code, stdout } = await run('prompt', 'marlow', 'why', '--user', 'tess', '--explain');
    expect(lastCall()).toEqual({ tool: 'explain_prompt', args: { hash: 'a'.repeat(64), user_id: 'tess' } });
    expect(stdout.split('\n')).toEqual([
      '[2025-01-14] Tess: Kit is badly allergic to walnuts. Marlow: \uFFFD[31mWrite it on the tin. 🌰🌰🌰🌰🌰🌰',
      '🌰'.repeat(7),
      '  memories, 2025-01-14, score 0.88, relevance 0.50, m1',
      'left out: no room, memories, m2',
      'memories (knowledge-base): ok, 1 line, 12 tokens',
      'weather (sky): timeout, did not answer in 50 ms, 0 lines, 0 tokens',
      'partial, 12 tokens before the persona, 30 cut',
      '',
    ]);
    expect(code).toBe(0);
    const whole = await run('prompt', 'marlow', 'why', '--user', 'tess', '--explain', '--json');
    expect(JSON.parse(whole.stdout)).toMatchObject({ lines: [{ id: 'm1' }], left_out: [{ reason: 'no_room' }] });
  });

  it('says that an aggregator of before cannot explain', async () => {
    const { code, stderr } = await run('prompt', 'marlow', 'x', '--user', 'tess', '--explain');
    expect(stderr).toBe('contextloom: the aggregator is of an earlier version, which cannot explain prompts\n');
    expect(code).toBe(1);
  });

  it('prints one JSON document with --json, of a failure too', async () => {
    const good = await run('prompt', 'marlow', 'x', '--user', 'tess', '--json');
    expect(JSON.parse(good.stdout)).toMatchObject({ status: 'complete', sources: [{ server: 'persona-marlow' }] });
    const bad = await run('--json', 'prompt', 'nobody', 'x', '--user', 'tess');
    expect(JSON.parse(bad.stdout)).toMatchObject({
      success: false,
      error: { code: 'not_found', message: expect.stringContaining('nobody'), field: 'persona_name' },
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

  it('shows a table with rating, date, type, source and text, the ids in one piece, and how many there are', async () => {
    const { stdout } = await run('memories', '--user', 'tess');
    expect(stdout).toMatch(/8\.3 │ 2025-01-14 │ episode │ chat-1, turns 8 to 9 │ Tess: Kit is badly allergic/);
    expect(stdout).toMatch(/– │ +[^│]+ +│ – +│ – +│ 知夏：我对芒果过敏。/);
    expect(stdout).toMatch(/2 of 24 memories of tess\n$/);
    expect(stdout).toContain(`\n1  episode-${'1f'.repeat(16)}\n`);
  });

  it('calls a memory undated of which nobody said when it happened, whenever it was stored', async () => {
    const { stdout } = await run('memories', '--user', 'tess');
    expect(stdout).toMatch(/│ undated +│ – +│ – +│ 知夏/);
    expect(stdout).not.toContain('2025-03-01');
  });

  it('shows of a long memory the passage that the query found', async () => {
    const { stdout } = await run('memories', '--user', 'talker', '--query', 'Is Kit allergic?');
    expect(stdout).toMatch(/│ …/);
    expect(stdout).toContain('badly allergic to walnuts');
    const { stdout: listed } = await run('memories', '--user', 'talker');
    expect(listed).toMatch(/│ Nothing of note was said/);
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

describe('contextloom status', () => {
  it('shows every server with its tools or the reason why not', async () => {
    const { code, stdout } = await run('status');
    expect(stdout).toMatch(/persona-marlow +│ running +│ +6 │/);
    expect(stdout).toMatch(/knowledge-base +│ unavailable │ +– │ it cannot be started/);
    expect(stdout).toMatch(/slow-server +│ running +│ +1 │/);
    expect(stdout).toMatch(/context-aggregator is degraded\nthe proxy .+\n$/);
    expect(code).toBe(0);
  });

  it('prints one JSON document with --json', async () => {
    const { stdout } = await run('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'degraded', proxy: { url: 'http://127.0.0.1:8040/v1' } });
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';
import { startScriptedAggregator } from './fixtures/scripted-aggregator.ts';

let folder: string;
/** An address at which something listened until now. */
let closed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-status-'));
  const gone = await startScriptedAggregator();
  closed = gone.url;
  await gone.close();
});
afterAll(() => rm(folder, { recursive: true }));

describe('contextloom status', () => {
  it('ends with code 1 when not one server answers', async () => {
    const file = join(folder, 'dead.json');
    const dead = { 'persona-marlow': { command: 'contextloom-no-such-program' }, 'knowledge-base': { url: closed } };
    await writeFile(file, JSON.stringify({ mcpServers: dead }));
    const { code, stdout } = await runCli(['--config', file, 'status', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'down',
      components: {
        'persona-marlow': { reason: expect.stringContaining('there is no such program') },
        'knowledge-base': { reason: expect.stringContaining('nothing listens') },
      },
    });
    const plain = await runCli(['--config', file, 'status']);
    expect(plain.stdout).toMatch(/context-aggregator is down: not one of its servers answers\nthe proxy .+\n$/);
    expect(plain.stderr).toBe('');
  });
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs a benchmark as `npm run bench:…` does; fails with what it printed where it ends with another code than 0. */
async function run(script: string, ...args: string[]): Promise<string> {
  const options = { cwd: root, timeout: 240_000, maxBuffer: 16_000_000 };
  return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout;
}

describe('a benchmark at its smallest size ends with figures', () => {
  it.each([
    ['cli/bench/compose.mjs', ['--runs', '1', '--sources', '2'], 'prompt, p50 ms'],
    ['cli/bench/episodes.mjs', ['--episodes', '100', '--calls', '1'], 'after a write'],
    ['cli/bench/cache.mjs', ['--turns', '3'], 'proxy, last_message'],
    ['cli/bench/firewall.mjs', [], 'held-out'],
    ['memory-processor/bench/tokens.mjs', [], 'dry run'],
    ['memory-processor/bench/import.mjs', ['--conversations', '4', '--megabytes', '1', '--kills', '0'], 'undo'],
    ['knowledge-base/bench/growth.mjs', ['--sizes', '200', '--users', '4', '--searches', '4'], 'results a search'],
    [
      'knowledge-base/bench/scale.mjs',
      [
        '--sizes',
        '100,200',
        '--users',
        '10',
        '--calls',
        '4',
        '--seconds',
        '0.1',
        '--processes',
        '1,2',
        '--engines',
        'sqlite',
      ],
      'stores /s',
    ],
    [
      'knowledge-base/bench/reembed.mjs',
      ['--documents', '200', '--users', '2', '--kills', '0', '--searches', '2'],
      'searches refused',
    ],
    ['context-aggregator/bench/gateway.mjs', ['--calls', '5', '--rounds', '1'], 'HTTP to HTTP'],
  ])(
    '%s',
    async (script, args, words) => {
      expect(await run(`services/${script}`, ...args)).toContain(words);
    },
    300_000,
  );
});

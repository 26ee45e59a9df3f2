/**
 * How long a coding agent waits for the hook of a session that starts, as it starts it: for each client, after a start of the machine
 * (nothing compiled before), warm, and after /clear, while a session before is still to be learnt from.
 *
 * npm run bench:session-start -- [--runs 20]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });
const runs = Number(values.runs);
const bin = fileURLToPath(new URL('../bin/contextloom.js', import.meta.url));

const root = mkdtempSync(join(tmpdir(), 'contextloom-session-start-'));
const cwd = join(root, 'shop');
const transcript = join(root, 'session.jsonl');
mkdirSync(join(cwd, '.git'), { recursive: true });
writeFileSync(transcript, '{"said":"one"}\n'.repeat(1_000));

const snake = { session_id: 's1', cwd, transcript_path: transcript, source: 'startup' };
const inputs = {
  'claude-code': snake,
  codex: snake,
  gemini: snake,
  copilot: { sessionId: 's1', cwd, transcriptPath: transcript, source: 'new' },
  cursor: { conversation_id: 's1', workspace_roots: [cwd], transcript_path: transcript },
};

async function run(event, client, { hooks, cache }) {
  const env = {
    ...process.env,
    HOME: root,
    XDG_DATA_HOME: root,
    CONTEXTLOOM_HOOKS_DIR: hooks,
    CONTEXTLOOM_HOOKS_WORKER: 'false',
    NODE_COMPILE_CACHE: cache,
  };
  const started = performance.now();
  const child = spawn(process.execPath, [bin, 'hook', event, '--client', client], { env, cwd });
  child.stdin.end(JSON.stringify(inputs[client]));
  child.stdout.resume();
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${event} of ${client} ended with ${code}`);
  return performance.now() - started;
}

const percentile = (times, part) => [...times].sort((a, b) => a - b)[Math.ceil(part * times.length) - 1];
const toCell = (times) => `${percentile(times, 0.5).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)}`.padStart(12);

async function measure(client, { isCold, isPending }) {
  const times = [];
  const [hooks, cache] = [join(root, `hooks-${client}`), join(root, 'cache')];
  for (let count = 0; count < runs; count += 1) {
    const own = isCold ? join(root, `cache-${client}-${count}`) : cache;
    if (isPending) await run('session-end', client, { hooks, cache });
    times.push(await run('session-start', client, { hooks, cache: own }));
  }
  return times;
}

process.stdout.write(`${runs} starts each, Node ${process.version}; milliseconds, p50 / p95\n`);
process.stdout.write(`${''.padEnd(12)}${['cold', 'warm', 'after /clear'].map((name) => name.padStart(14)).join('')}\n`);
try {
  for (const client of Object.keys(inputs)) {
    const cells = [];
    for (const [isCold, isPending] of [
      [true, false],
      [false, false],
      [false, true],
    ]) {
      cells.push(toCell(await measure(client, { isCold, isPending })));
    }
    process.stdout.write(`${client.padEnd(12)}${cells.map((cell) => cell.padStart(14)).join('')}\n`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

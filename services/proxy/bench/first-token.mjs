// What the proxy adds to the time until the first token: node services/proxy/bench/first-token.mjs [requests]
// A provider on this machine answers after 20 ms; the same requests go to it directly and through the proxy, in turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { percentile } from '../../../shared/tooling/bench-figures.mjs';

const REQUESTS = Number(process.argv[2] ?? 200);
const ANSWER_MS = 20;
const bin = fileURLToPath(new URL('../../cli/bin/contextloom.js', import.meta.url));

const toChunk = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

const provider = createServer(async (request, response) => {
  for await (const _piece of request);
  await sleep(ANSWER_MS);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(toChunk('I will '));
  response.end(`${toChunk('remember that.')}data: [DONE]\n\n`);
}).listen(0, '127.0.0.1');
await once(provider, 'listening');
const direct = `http://127.0.0.1:${provider.address().port}`;

async function startProxy(folder) {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [bin, 'proxy', '--provider', `${direct}/v1`, '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /"url":"(http:[^"]+)"/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return { child, url };
  }
  throw new Error('the proxy ended');
}

/** Milliseconds until the first token of an answer. */
async function ask(url, content, headers = {}) {
  const start = performance.now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'contextloom-user': 'ann', ...headers },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] }),
  });
  const reader = response.body.getReader();
  await reader.read();
  const time = performance.now() - start;
  while (!(await reader.read()).done);
  return time;
}

const toRow = (name, times) =>
  `| ${name} | ${percentile(times, 0.5).toFixed(1)} | ${percentile(times, 0.95).toFixed(1)} |`;

const folder = mkdtempSync(join(tmpdir(), 'contextloom-first-token-'));
const { child, url } = await startProxy(folder);
try {
  // A hundred conversations to remember from, stored before anything is measured.
  for (let at = 0; at < 100; at += 1)
    await ask(url, `On day ${at} I saw film number ${at} with Kit, and we ate walnuts.`);
  await sleep(5_000);
  const ways = {
    directly: [direct, {}],
    'through the proxy, memories alone': [url, { 'contextloom-store': 'false' }],
    'through the proxy, with a persona': [url, { 'contextloom-store': 'false', 'contextloom-persona': 'marlow' }],
    'through the proxy, each turn stored': [url, {}],
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let at = 0; at < REQUESTS; at += 1) {
    for (const [name, [address, headers]] of Object.entries(ways)) {
      times[name].push(await ask(address, `Which film did I see on day ${at % 100}?`, headers));
    }
  }
  const lines = [
    '| first token after, ms | p50 | p95 |',
    '|---|---|---|',
    ...Object.entries(times).map(([name, one]) => toRow(name, one)),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  child.kill('SIGTERM');
  await once(child, 'close');
  provider.close();
  rmSync(folder, { recursive: true, force: true });
}

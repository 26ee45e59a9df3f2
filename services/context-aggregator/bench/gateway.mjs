// What a call costs through the aggregator, next to the same call without it: one upstream that answers at once, blocks of calls in turn.
// node services/context-aggregator/bench/gateway.mjs [--calls 300] [--rounds 5]
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '300' }, rounds: { type: 'string', default: '5' } },
});
const calls = Number(values.calls);
const rounds = Number(values.rounds);
const upstream = fileURLToPath(new URL('./echo-server.mjs', import.meta.url));
const gateway = fileURLToPath(new URL('../dist/server.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'bench-gateway-'));
const children = [];

/** Starts a server over HTTP, and answers its address from the first line that names one. */
async function startHttp(stream, ...args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  for await (const line of createInterface({ input: child[stream] })) {
    const { url } = JSON.parse(line);
    if (url !== undefined) {
      child[stream].resume();
      return new URL(url);
    }
  }
  throw new Error(`${args.join(' ')} ended`);
}

async function writeConfig(name, entry) {
  const file = join(folder, `${name}.json`);
  const aggregator = { own_servers: [], expose: { echo: { prefix: '' } } };
  await writeFile(file, JSON.stringify({ mcpServers: { echo: entry }, aggregator }));
  return file;
}

async function connect(transport) {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(transport);
  await client.listTools();
  return client;
}

const overStdio = (...args) => connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
const overHttp = (url) => connect(new StreamableHTTPClientTransport(url));

const http = await startHttp('stdout', upstream, '--http');
const toStdio = await writeConfig('stdio', { command: process.execPath, args: [upstream] });
const toHttp = await writeConfig('http', { url: http.href });
const atAll = (url) => new URL(`${url.href}/all`);

const ways = {
  'direct, stdio': await overStdio(upstream),
  'aggregator, stdio to stdio': await overStdio(gateway, '--config', toStdio, '--profile', 'all'),
  'direct, HTTP': await overHttp(http),
  'aggregator, HTTP to stdio': await overHttp(
    atAll(await startHttp('stderr', gateway, '--config', toStdio, '--http', '0')),
  ),
  'aggregator, HTTP to HTTP': await overHttp(
    atAll(await startHttp('stderr', gateway, '--config', toHttp, '--http', '0')),
  ),
};

const call = (client, size) => client.callTool({ name: 'echo', arguments: { size } });

async function measure(client, count, size) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    await call(client, size);
    times.push(performance.now() - start);
  }
  return times;
}

/** Calls a second with ten in flight. */
async function throughput(client) {
  let left = calls;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (left-- > 0) await call(client, 10);
    }),
  );
  return (calls * 1000) / (performance.now() - start);
}

const results = Object.fromEntries(Object.keys(ways).map((name) => [name, { times: [], large: [], rates: [] }]));
for (const client of Object.values(ways)) await measure(client, 50, 10);
for (let round = 0; round < rounds; round += 1) {
  for (const [name, client] of Object.entries(ways)) {
    results[name].times.push(...(await measure(client, calls, 10)));
    results[name].large.push(...(await measure(client, 10, 1_000_000)));
    results[name].rates.push(await throughput(client));
  }
}

const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];
const shown = (number) => number.toFixed(number < 10 ? 2 : 0);
process.stdout.write(
  '| way | p50 ms | p95 ms | p99 ms | calls/s, 10 in flight | 1 MB answer, p50 ms |\n|---|---|---|---|---|---|\n',
);
for (const [name, { times, large, rates }] of Object.entries(results)) {
  const cells = [0.5, 0.95, 0.99].map((share) => shown(quantile(times, share)));
  process.stdout.write(
    `| ${name} | ${cells.join(' | ')} | ${shown(quantile(rates, 0.5))} | ${shown(quantile(large, 0.5))} |\n`,
  );
}
for (const client of Object.values(ways)) await client.close();
for (const child of children) child.kill();
await rm(folder, { recursive: true });

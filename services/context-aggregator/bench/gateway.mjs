// What a call costs through the aggregator, next to the same call without it and through other gateways: one upstream that answers at
// once, blocks of calls in turn.
// node services/context-aggregator/bench/gateway.mjs [--calls 300] [--rounds 5] [--peers] [--peers-folder DIR] [--memory 100000] [--minutes 5]
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { percentile } from '../../../shared/tooling/bench-figures.mjs';
import { installPeers, startPeers } from './peers.mjs';
import { atEnd, overHttp, overStdio, readCpuMs, readMemory, runAndEnd, startHttp } from './processes.mjs';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: false },
    'peers-folder': { type: 'string' },
    memory: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '5' },
  },
});
const calls = Number(values.calls);
const rounds = Number(values.rounds);
const upstream = fileURLToPath(new URL('./echo-server.mjs', import.meta.url));
const gateway = fileURLToPath(new URL('../dist/server.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'bench-gateway-'));
atEnd(() => rm(folder, { recursive: true }));

async function writeConfig(name, entry) {
  const file = join(folder, `${name}.json`);
  const aggregator = { own_servers: [], expose: { echo: { prefix: '' } } };
  await writeFile(file, JSON.stringify({ mcpServers: { echo: entry }, aggregator }));
  return file;
}

async function startGateway(config) {
  const { url, pid } = await startHttp('stderr', gateway, '--config', config, '--http', '0');
  return { url: new URL(`${url.href}/all`), pid };
}

async function open() {
  const http = await startHttp('stdout', upstream, '--http');
  const toStdio = await writeConfig('stdio', { command: process.execPath, args: [upstream] });
  const toHttp = await writeConfig('http', { url: http.url.href });
  const ours = {
    'direct, stdio': await overStdio(upstream),
    'aggregator, stdio to stdio': await overStdio(gateway, '--config', toStdio, '--profile', 'all'),
    'direct, HTTP': await overHttp(http),
    'aggregator, HTTP to stdio': await overHttp(await startGateway(toStdio)),
    'aggregator, HTTP to HTTP': await overHttp(await startGateway(toHttp)),
  };
  const peersFolder = values['peers-folder'] ?? join(folder, 'peers');
  if (values.peers && values['peers-folder'] === undefined) await installPeers(peersFolder);
  const peers = values.peers ? await startPeers(peersFolder, upstream) : {};
  return { ...ours, ...peers };
}

async function measure(way, count, size) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    await way.call(size);
    times.push(performance.now() - start);
  }
  return times;
}

/** Makes up to `count` calls, ten in flight, until `untilMs` at the latest; answers how many there were. */
async function callMany(way, count, untilMs = Number.POSITIVE_INFINITY) {
  let made = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (made < count && Date.now() < untilMs) {
        made += 1;
        await way.call(10);
      }
    }),
  );
  return made;
}

/** Calls a second with ten in flight. */
async function throughput(way) {
  const start = performance.now();
  return ((await callMany(way, calls)) * 1000) / (performance.now() - start);
}

const shown = (number) => number.toFixed(number < 10 ? 2 : 0);
const print = (...cells) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

async function measureSpeed(ways) {
  const results = Object.fromEntries(
    Object.keys(ways).map((name) => [name, { times: [], cpuMs: 0, large: [], rates: [] }]),
  );
  for (const way of Object.values(ways)) await measure(way, 50, 10);
  const load = [loadavg()[0]];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const before = readCpuMs(way.pid);
      results[name].times.push(...(await measure(way, calls, 10)));
      results[name].cpuMs += readCpuMs(way.pid) - before;
      results[name].large.push(...(await measure(way, 10, 1_000_000)));
      results[name].rates.push(await throughput(way));
    }
    load.push(loadavg()[0]);
  }
  process.stdout.write(`load average, one minute: ${load.map(shown).join(', ')}\n`);
  print('way', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms', 'calls/s, 10 in flight', '1 MB answer, least and p50 ms');
  print('---', '---', '---', '---', '---', '---', '---');
  for (const [name, { times, cpuMs, large, rates }] of Object.entries(results)) {
    const cells = [0.5, 0.95, 0.99].map((share) => shown(percentile(times, share)));
    const megabyte = [0, 0.5].map((share) => shown(percentile(large, share))).join(', ');
    print(name, ...cells, shown(cpuMs / times.length), shown(percentile(rates, 0.5)), megabyte);
  }
}

async function measureMemory(ways) {
  print('way', 'calls', 'MB at start', 'MB after a tenth', 'MB after all');
  print('---', '---', '---', '---', '---');
  for (const [name, way] of Object.entries(ways)) {
    if (name.startsWith('direct')) continue;
    const end = Date.now() + (Number(values.minutes) * 60_000) / (Object.keys(ways).length - 2);
    const before = readMemory(way.pid);
    const some = await callMany(way, Number(values.memory) / 10, end);
    const between = readMemory(way.pid);
    const rest = await callMany(way, Number(values.memory) - some, end);
    print(name, some + rest, ...[before, between, readMemory(way.pid)].map(shown));
  }
}

await runAndEnd(async () => {
  const ways = await open();
  await measureSpeed(ways);
  if (Number(values.memory) > 0) await measureMemory(ways);
});

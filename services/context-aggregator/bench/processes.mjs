// Servers that a benchmark starts and ends, and clients that speak to them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const children = [];
const START_MS = 60_000;

/** Starts a program that ends with the benchmark. */
export function start(command, args, { env = process.env, cwd, stdio = ['ignore', 'ignore', 'ignore'] } = {}) {
  const child = spawn(command, args, { env, cwd, stdio });
  children.push(child);
  return child;
}

const ends = [];

/** Has something tidied up when the benchmark ends, in whatever way; the last that was said is the first that is done. */
export function atEnd(work) {
  ends.unshift(work);
}

/** Ends all that were started, and waits for it. */
async function endAll() {
  for (const child of children) child.kill();
  const gone = children.map((child) =>
    child.exitCode === null && child.signalCode === null
      ? new Promise((resolve) => child.once('exit', resolve))
      : undefined,
  );
  await Promise.race([Promise.all(gone), sleep(5_000, undefined, { ref: false })]);
  for (const child of children) child.kill('SIGKILL');
}

async function tidyUp() {
  for (const work of ends) {
    try {
      await work();
    } catch (error) {
      process.stderr.write(`${error}\n`);
    }
  }
  await endAll();
}

let tidying;
/** An interrupted benchmark fails as well: what is tidied up already is not waited for twice. */
function end() {
  tidying ??= tidyUp();
  return tidying;
}

/** Runs a benchmark. What it started ends with it, also when it fails or is interrupted. */
export async function runAndEnd(bench) {
  const interrupt = () => void end().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
  try {
    await bench();
  } finally {
    await end();
  }
}

/** Starts one of our servers over HTTP, and answers its address from the first line that names one. */
export async function startHttp(stream, ...args) {
  const env = { ...process.env, RATE_LIMIT_PER_MINUTE: '100000' };
  const child = start(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
  for await (const line of createInterface({ input: child[stream] })) {
    const { url } = JSON.parse(line);
    if (url !== undefined) {
      child[stream].resume();
      return { url: new URL(url), pid: child.pid };
    }
  }
  throw new Error(`${args.join(' ')} ended`);
}

/** A port that was free a moment ago. */
export function findPort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Connects a client that calls the tool whose name ends with `echo`. */
async function connect(transport, pid) {
  const client = new Client({ name: 'bench', version: '0' });
  atEnd(() => client.close());
  await client.connect(transport);
  const { tools } = await client.listTools();
  const name = tools.map((tool) => tool.name).find((one) => /(?:^|__)echo$/.test(one));
  if (name === undefined) throw new Error(`no tool echo among ${tools.map((tool) => tool.name).join(', ')}`);
  return {
    call: (size) => client.callTool({ name, arguments: { size } }),
    pid: pid ?? transport.pid,
  };
}

export const overStdio = (...args) =>
  connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore', maxBufferSize: 2 ** 26 }));

export const overHttp = ({ url, pid }) => connect(new StreamableHTTPClientTransport(url), pid);

/** Connects as soon as the server listens. */
export async function whenUp({ url, pid, sse = false }) {
  const end = Date.now() + START_MS;
  for (;;) {
    try {
      return await connect(sse ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url), pid);
    } catch (cause) {
      if (Date.now() > end) throw new Error(`${url} does not answer`, { cause });
      await sleep(250);
    }
  }
}

/** Resident memory of a process, in MB; of the process alone, without what it started. */
export function readMemory(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024;
}

/** Processor time that a process has taken, in milliseconds, in steps of ten; undefined where the system does not tell it in `/proc`. */
export function readCpuMs(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const [, fields] = readFileSync(file, 'utf8').split(') '); // A name may have spaces.
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

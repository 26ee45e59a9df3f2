// Servers that a benchmark starts and ends, and clients that speak to them.
import { execFileSync, spawn } from 'node:child_process';
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

/** Ends all that were started, and waits for it. */
export async function endAll() {
  const ends = children.map((child) =>
    child.exitCode === null && child.signalCode === null
      ? new Promise((resolve) => child.once('exit', resolve))
      : undefined,
  );
  for (const child of children) child.kill();
  await Promise.race([Promise.all(ends), sleep(5_000)]);
  for (const child of children) child.kill('SIGKILL');
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
  await client.connect(transport);
  const { tools } = await client.listTools();
  const name = tools.map((tool) => tool.name).find((one) => /(?:^|__)echo$/.test(one));
  if (name === undefined) throw new Error(`no tool echo among ${tools.map((tool) => tool.name).join(', ')}`);
  return {
    call: (size) => client.callTool({ name, arguments: { size } }),
    close: () => client.close(),
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

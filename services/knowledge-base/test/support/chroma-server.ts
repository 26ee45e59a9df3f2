import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe } from '@jest/globals';
import { INSTALL_MS, installChroma } from './chroma-install.ts';

/** Longest that a server on a loaded machine takes until it answers. */
const READY_MS = 30_000;
/** How long a server may take to end when asked to. */
const STOP_MS = 5_000;

/** The program that serves Chroma. */
export const runner = fileURLToPath(new URL('../fixtures/chroma-server.cjs', import.meta.url));

/** A Chroma server in a process of its own. */
export interface ChromaServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Ends the process in good order; a folder that the server made for itself goes too. */
  readonly stop: () => Promise<void>;
  /** Ends the process with SIGKILL and keeps its folder. */
  readonly kill: () => Promise<void>;
}

/** Where a server keeps its data and listens; by default a folder of its own and a free port. */
export interface ChromaServerOptions {
  readonly dataDir?: string;
  readonly port?: number;
}

/** Finds a port that nothing listens on; rejects when one is given and something does. */
export async function findFreePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Waits until a server answers; rejects when it ends before. */
export async function untilReady(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Chroma ended: ${said()}`);
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`${url}/api/v2/heartbeat`, { signal }).catch(() => undefined); // Not up yet.
    if (answer?.ok) return;
  }
  throw new Error(`Chroma did not answer within ${READY_MS / 1_000} s: ${said()}`);
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const hurry = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(hurry);
}

/** A server that a failed test forgot does not keep the test run alive, and ends with it. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
}

/** Starts a Chroma server and waits until it answers; installs it first where it is missing. */
export async function startChroma(options: ChromaServerOptions = {}): Promise<ChromaServer> {
  const bindings = await installChroma();
  const port = await findFreePort(options.port);
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'contextloom-chroma-')));
  const args = [runner, 'stdin', bindings, 'run', '--path', dataDir, '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(process.execPath, args, { cwd: dataDir, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  const listen = (chunk: unknown): void => {
    said = `${said}${String(chunk)}`.slice(-2_000);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  letGo(child);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child, () => said).catch(async (error: unknown) => {
    await end(child, 'SIGKILL');
    throw error;
  });
  const stop = async (): Promise<void> => {
    await end(child, 'SIGTERM');
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { url, port, pid: child.pid ?? 0, dataDir, stop, kill: () => end(child, 'SIGKILL') };
}

/** Why no Chroma server can run here; undefined where one can. */
function reasonAgainst(): string | undefined {
  const place = `${process.platform}-${process.arch}`;
  if (place !== 'linux-x64') return `the server for tests exists for linux-x64 only, and this is ${place}`;
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  if (report?.header?.glibcVersionRuntime === undefined) return 'the server for tests needs glibc';
  return undefined;
}

/**
 * A suite that needs a Chroma server. Where none can run it is skipped and says why; in CI on linux-x64, and wherever one
 * can run, what keeps it from starting fails the suite.
 */
export function describeWithChroma(name: string, suite: () => void): void {
  const reason = reasonAgainst();
  if (
    reason === undefined ||
    (process.env['CI'] === 'true' && process.platform === 'linux' && process.arch === 'x64')
  ) {
    describe(name, () => {
      // The first suite on a new machine waits for the download, however short its own deadlines are.
      beforeAll(async () => {
        await installChroma();
      }, INSTALL_MS);
      suite();
    });
    return;
  }
  process.stderr.write(`SKIPPED: ${name}: ${reason}\n`);
  describe.skip(`${name} (skipped: ${reason})`, suite);
}

// A Chroma server for benchmarks: one that is named, or the one that the tests install, in a folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'chromadb-js-bindings-linux-x64-gnu';
const VERSION = '1.0.5';
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'contextloom');
const bindings = join(cache, `chroma-${VERSION}`, 'node_modules', PACKAGE);
const runner = fileURLToPath(new URL('../test/fixtures/chroma-server.cjs', import.meta.url));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The memory that a process holds now, in MiB. */
export function residentMemory(pid) {
  if (pid === undefined) return undefined;
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** Starts a server, or takes the one at `url`. */
export async function startChroma(url) {
  if (url !== undefined) return { url, pid: undefined, stop: async () => undefined };
  if (!existsSync(bindings)) {
    throw new Error(
      `no Chroma server is installed here. Either name one that runs with --chroma-url http://127.0.0.1:8000, or install the one that the tests use (110 MB, Linux on x64): npm install --no-save --no-package-lock --ignore-scripts --prefix ${join(cache, `chroma-${VERSION}`)} ${PACKAGE}@${VERSION}`,
    );
  }
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'contextloom-bench-chroma-'))];
  const args = [runner, 'stdin', bindings, 'run', '--path', folder, '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    const isUp = await fetch(`${address}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  const stop = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  return { url: address, pid: child.pid, stop };
}

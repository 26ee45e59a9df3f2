import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installChroma } from './chroma-install.ts';
import { findFreePort, runner, untilReady } from './chroma-server.ts';

/** How long the first suite may take to start the server, in milliseconds. */
const START_MS = 60_000;

/** The folder of this test run, and the process that ends when the run does. */
function toRun(): { readonly folder: string; readonly pid: string } {
  const { CONTEXTLOOM_TEST_RUN: folder, CONTEXTLOOM_TEST_PID: pid } = process.env;
  if (folder === undefined || pid === undefined) throw new Error('this is no test run of ours: see shared/tooling');
  return { folder, pid };
}

async function start(folder: string, owner: string): Promise<string> {
  const bindings = await installChroma();
  const dataDir = join(folder, 'chroma');
  await mkdir(dataDir);
  const log = await open(join(folder, 'chroma.log'), 'w');
  const port = await findFreePort();
  const args = [runner, owner, bindings, 'run', '--path', dataDir, '--host', '127.0.0.1', '--port', String(port)];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: dataDir, stdio: ['ignore', log.fd, log.fd] });
  child.unref();
  await log.close();
  await writeFile(join(folder, 'chroma.pid'), String(child.pid));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child, () => `see ${folder}/chroma.log`);
  return url;
}

/**
 * The Chroma server that all suites of a test run share: the first that asks starts it, the end of the run ends it. Each
 * store has a collection of its own there. Suites that kill, stop or count start a server of their own.
 */
export async function useSharedChroma(): Promise<{ readonly url: string }> {
  const { folder, pid } = toRun();
  const file = join(folder, 'chroma.url');
  const isFirst = await mkdir(join(folder, 'chroma.lock')).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const url = await start(folder, pid).catch((error: unknown) => `failed: ${String(error)}`);
    await writeFile(file, `${url}\n`);
  }
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(50)) {
    const url = await readFile(file, 'utf8').catch(() => ''); // Not started yet.
    if (url.startsWith('failed')) throw new Error(url);
    if (url.endsWith('\n')) return { url: url.trim() };
  }
  throw new Error(`the shared Chroma server did not start within ${START_MS / 1_000} s`);
}

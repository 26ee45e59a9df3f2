import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A file that the build makes, by its path under services/. */
export function built(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

/** A folder for one test, and how to be rid of it. */
export async function createFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'memory-processor-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A real knowledge base in its own process. */
export interface RunningKnowledgeBase {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

function toUrl(line: string): string | undefined {
  const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
  return msg === 'listening' ? url : undefined;
}

async function findUrl(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('the knowledge base has no standard error');
  for await (const line of createInterface({ input: child.stderr })) {
    const url = toUrl(line);
    if (url !== undefined) return url;
  }
  throw new Error('the knowledge base ended before it listened; is it built?');
}

/** Starts the knowledge base's HTTP service on a free port over a store in `dataDir`. */
export async function startKnowledgeBase(dataDir: string): Promise<RunningKnowledgeBase> {
  const child = spawn(process.execPath, [built('knowledge-base/dist/service.js')], {
    env: { ...process.env, KB_PORT: '0', KB_DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const url = await findUrl(child);
  // A pipe that nobody empties would hold the service up.
  child.stderr.resume();
  return { url, stop };
}

/** Writes a composition whose knowledge base is a real server over stdio. */
export async function writeComposition(folder: string): Promise<string> {
  const file = join(folder, 'mcp_config.json');
  const args = [built('knowledge-base/dist/server.js')];
  const entry = { command: process.execPath, args, env: { KB_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' } };
  await writeFile(file, JSON.stringify({ mcpServers: { 'knowledge-base': entry } }));
  return file;
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A file that the build makes, by its path under services/. */
export const built = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** A real knowledge base in its own process, on a folder of its own. */
export interface RunningKnowledgeBase {
  readonly url: string;
  readonly folder: string;
  /** All that it logged. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts the knowledge base's HTTP service on a free port. */
export async function startKnowledgeBase(): Promise<RunningKnowledgeBase> {
  const folder = await mkdtemp(join(tmpdir(), 'typed-memory-'));
  const child = spawn(process.execPath, [built('knowledge-base/dist/service.js')], {
    env: { PATH: process.env['PATH'], KB_PORT: '0', KB_DATA_DIR: folder, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const { msg, url: address } = JSON.parse(line) as { msg?: string; url?: string };
      if (msg === 'listening' && address !== undefined) resolve(address);
    });
    void ended.then(() => reject(new Error('the knowledge base ended before it listened; is it built?')));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url, folder, log: () => lines.join('\n'), stop };
}

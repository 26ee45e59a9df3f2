import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The entry file as it is shipped; `npm run test:e2e` builds it first. */
export const serverFile = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** The aggregator as a process of its own, serving HTTP. */
export interface HttpAggregator {
  readonly url: URL;
  readonly stop: () => Promise<number | null>;
  /** Ends it so that it can tidy up nothing. */
  readonly kill: () => Promise<number | null>;
}

/** Waits for the end of a process; the exit code, or null when a signal ended it. */
export function waitForEnd(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });
}

/** Starts the built server with `--http 0` and reads its address from its log. */
export async function startHttpAggregator(
  configFile: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<HttpAggregator> {
  const child = spawn(process.execPath, [serverFile, '--config', configFile, '--http', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the aggregator ended with ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { url: shown } = JSON.parse(line) as { url?: string };
      if (shown !== undefined) resolve(shown);
    });
  });
  return {
    url: new URL(url),
    stop: () => {
      child.kill('SIGTERM');
      return waitForEnd(child);
    },
    kill: () => {
      child.kill('SIGKILL');
      return waitForEnd(child);
    },
  };
}

/** Whether a process still runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: there is no such process any more.
  }
}

/** Waits until none of the processes is left. */
export async function waitUntilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(10);
}

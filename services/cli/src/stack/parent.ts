import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How a process tells who started it; `process` is one. */
export interface ProcessWithParent {
  readonly ppid: number;
}

/** What watching a parent takes. */
export interface ParentOptions {
  readonly process: ProcessWithParent;
  readonly onGone: () => void;
}

const INTERVAL_MS = 500;

/**
 * Calls `onGone` once the process that started this one has ended, or the one behind the shell that did: npm runs scripts in a
 * shell, which outlives an npm that is killed. It keeps no process running.
 */
export async function watchParent({ process, onGone }: ParentOptions): Promise<void> {
  const parent = process.ppid;
  const behindShell = await findBehindShell(parent);
  const timer = setInterval(() => {
    // Whoever has lost its parent is given another.
    if (process.ppid === parent && (behindShell === undefined || isThere(behindShell))) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS);
  timer.unref();
}

/** Who started the shell that runs one command, when `pid` is such a shell; undefined otherwise, and where there is no `ps`. */
async function findBehindShell(pid: number): Promise<number | undefined> {
  const { stdout } = await run('ps', ['-o', 'ppid=,args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  const parent = /^\s*(\d+)\s+\S*sh -c\s/.exec(stdout)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH'); // One of another user may not be signalled.
  }
}

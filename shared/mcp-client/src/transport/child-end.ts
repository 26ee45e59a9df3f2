import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A child process that is to end. */
export interface ChildEnd {
  readonly pid: number;
  /** Resolves once it has ended and its standard output is closed. */
  readonly ended: Promise<void>;
  /** How long it may take to end by itself, its standard input being closed, in milliseconds. */
  readonly graceMs: number;
}

/** How long it may take after SIGTERM, in milliseconds. */
const KILL_MS = 1_000;

/**
 * Waits until a child has ended, and makes it end when it does not, with what it started: a server behind `npx` or a shell
 * is not reached by a signal to its wrapper.
 */
export async function endChild({ pid, ended, graceMs }: ChildEnd): Promise<void> {
  if (await isWithin(ended, graceMs)) return;
  // Listed before the first of them ends: who has lost its parent cannot be found under it.
  const tree = await listTree(pid);
  sendSignal(tree, 'SIGTERM');
  if (await isWithin(ended, KILL_MS)) return;
  sendSignal(tree, 'SIGKILL');
  await isWithin(ended, KILL_MS);
}

async function isWithin(ended: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A process and all that it started; the process alone where there is no `ps`, as on Windows. */
async function listTree(pid: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']).catch(() => ({ stdout: '' }));
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/u).map(Number));
  const under = (parent: number): number[] =>
    pairs.flatMap(([child = 0, itsParent]) => (itsParent === parent ? [child, ...under(child)] : []));
  return [pid, ...under(pid)];
}

function sendSignal(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

function isGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH';
}

import type { ProcessLike } from './command-line.ts';
import { INTERRUPTED } from './job.ts';

/** Milliseconds in which the same signal counts as one: npm hands Ctrl-C on to a program that already got it. */
const ONE_SIGNAL_MS = 500;

/**
 * Calls `end` at SIGTERM and SIGINT. The same signal again ends at once what cannot end by itself, such as a call that waits for a process that hangs. Another
 * signal does not: Ctrl-C reaches a whole group of processes, whose first one then ends the others by SIGTERM.
 */
export function endOnSignals(process: ProcessLike, end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    let firstAt: number | undefined;
    process.on(signal, () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > ONE_SIGNAL_MS) process.exit(INTERRUPTED);
      end();
    });
  }
}

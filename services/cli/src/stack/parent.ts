/** How a process tells who started it; `process` is one. */
export interface ProcessWithParent {
  readonly ppid: number;
}

/** What watching a parent takes. */
export interface ParentOptions {
  readonly process: ProcessWithParent;
  readonly onGone: () => void;
  readonly intervalMs?: number;
}

/**
 * Calls `onGone` once the process that started this one has ended: whoever has lost its parent is given another. It keeps no
 * process running.
 */
export function watchParent({ process, onGone, intervalMs = 500 }: ParentOptions): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
}

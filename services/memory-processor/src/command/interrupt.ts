/** What a process hears signals by. */
type Signals = Pick<NodeJS.Process, 'once'>;

/** A first Ctrl-C ends the run after the batch under way, a second one at once. */
export function untilInterrupt(process: Signals, warn: (text: string) => void): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    warn('\nstopping after what is under way …');
    controller.abort();
  });
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

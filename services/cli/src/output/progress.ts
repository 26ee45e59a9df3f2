import { Presets, SingleBar } from 'cli-progress';
import type { OutputStream } from '../context.ts';

/** Shows how far a piece of work is. */
export interface Progress {
  readonly update: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** A progress bar where the stream is a terminal; silent elsewhere, so that logs stay readable. */
export function createProgress(stream: OutputStream, title: string): Progress {
  if (stream.isTTY !== true) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { stream, format: `${title} {bar} {percentage}% | {value}/{total}`, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  let running = false;
  return {
    update: (done, total) => {
      if (!running) bar.start(total, done);
      running = true;
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => {
      if (running) bar.stop();
      running = false;
    },
  };
}

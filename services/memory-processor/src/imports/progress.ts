import cliProgress from 'cli-progress';

/** Shows how far an import is. */
export interface ImportProgress {
  readonly update: (turns: number) => void;
  readonly end: () => void;
}

interface ProgressOptions {
  readonly stream: NodeJS.WritableStream;
  readonly isTerminal: boolean;
  /** How many turns there are. */
  readonly total: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

const toTime = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
};

/** A bar with rate and time left on a terminal, and elsewhere a line each tenth of the way. */
export function createImportProgress({ stream, isTerminal, total, now }: ProgressOptions): ImportProgress {
  const start = now();
  const tell = (turns: number) => {
    const rate = turns / Math.max(0.001, (now() - start) / 1000);
    return { rate: Math.round(rate).toLocaleString('en-US'), left: turns === 0 ? '?' : toTime((total - turns) / rate) };
  };
  if (!isTerminal) return toLines(stream, total, tell);
  const format = '{bar} {percentage}% | {value}/{total} turns | {rate}/s | {left} left';
  const bar = new cliProgress.SingleBar({ format, stream, clearOnComplete: true, hideCursor: true, barsize: 20 });
  bar.start(total, 0, { rate: '0', left: '?' });
  return { update: (turns) => bar.update(turns, tell(turns)), end: () => bar.stop() };
}

function toLines(
  stream: NodeJS.WritableStream,
  total: number,
  tell: (turns: number) => { readonly rate: string; readonly left: string },
): ImportProgress {
  let tenth = 0;
  return {
    update: (turns) => {
      const reached = Math.floor((10 * turns) / Math.max(1, total));
      if (reached <= tenth || reached >= 10) return;
      tenth = reached;
      const { rate, left } = tell(turns);
      stream.write(
        `${turns.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} turns, ${rate}/s, ${left} left\n`,
      );
    },
    end: () => undefined,
  };
}

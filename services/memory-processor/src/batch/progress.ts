import cliProgress from 'cli-progress';

/** Shows how far a conversation is. */
export interface Progress {
  readonly update: (name: string, done: number, total: number) => void;
  readonly end: () => void;
}

/** A bar that is drawn on a terminal and wiped off when its conversation is done; elsewhere nothing is shown. */
export function createProgress(stream: NodeJS.WritableStream, isTerminal: boolean): Progress {
  if (!isTerminal) return { update: () => undefined, end: () => undefined };
  let bar: InstanceType<typeof cliProgress.SingleBar> | undefined;
  return {
    update: (name, done, total) => {
      if (bar === undefined) {
        const format = '{name} [{bar}] {value}/{total} pieces, {eta_formatted} left';
        bar = new cliProgress.SingleBar({ format, stream, clearOnComplete: true, hideCursor: true });
        bar.start(total, done, { name });
      } else bar.update(done);
    },
    end: () => {
      bar?.stop();
      bar = undefined;
    },
  };
}

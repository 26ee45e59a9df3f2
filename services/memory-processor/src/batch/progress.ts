import cliProgress from 'cli-progress';

/** Shows how far the conversations are that are under way. */
export interface Progress {
  readonly update: (name: string, done: number, total: number) => void;
  readonly end: () => void;
}

/** A bar that is drawn on a terminal and wiped off when its conversation is done; elsewhere nothing is shown. */
export function createProgress(stream: NodeJS.WritableStream, isTerminal: boolean): Progress {
  if (!isTerminal) return { update: () => undefined, end: () => undefined };
  let bar: InstanceType<typeof cliProgress.SingleBar> | undefined;
  const underWay = new Map<string, { readonly done: number; readonly total: number }>();
  return {
    update: (name, ownDone, ownTotal) => {
      underWay.set(name, { done: ownDone, total: ownTotal });
      const sum = (of: 'done' | 'total'): number => [...underWay.values()].reduce((all, one) => all + one[of], 0);
      const [done, total] = [sum('done'), sum('total')];
      if (ownDone >= ownTotal) underWay.delete(name);
      if (bar === undefined) {
        const format = '{name} [{bar}] {value}/{total} pieces, {eta_formatted} left';
        bar = new cliProgress.SingleBar({ format, stream, clearOnComplete: true, hideCursor: true });
        bar.start(total, done, { name });
      } else {
        bar.setTotal(total);
        bar.update(done, { name });
      }
    },
    end: () => {
      bar?.stop();
      bar = undefined;
    },
  };
}

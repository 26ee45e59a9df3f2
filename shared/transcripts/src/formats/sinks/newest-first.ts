import { type Moment, toInstant } from '@contextloom/retrieval/time';
import type { FoundTurn, Out } from '../reader.ts';

const toTime = ({ at, wall }: FoundTurn): Moment | undefined => at ?? (wall === undefined ? undefined : `${wall}Z`);

/** Whether turns go backwards in time: the first with a time was said after the last. */
function isBackwards(turns: readonly FoundTurn[]): boolean {
  const first = turns.map(toTime).find((time) => time !== undefined);
  const last = turns.map(toTime).findLast((time) => time !== undefined);
  return first !== undefined && last !== undefined && toInstant(first) > toInstant(last);
}

/**
 * Keeps the turns of a file until its end, and hands them on in the order in which they were said: programs write the newest first, and
 * the name of the chat below. Their words alone are kept, not what stands around them in the file.
 */
export function createNewestFirst(out: Out) {
  const turns: FoundTurn[] = [];
  return {
    add: (turn: FoundTurn): void => {
      turns.push(turn);
    },
    flush: (): void => {
      if (isBackwards(turns)) turns.reverse();
      for (const turn of turns.splice(0)) out.turn(turn);
    },
  };
}

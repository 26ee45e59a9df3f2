import { z } from 'zod';

/** The tool by which a store says how many of its texts wait for their vectors. */
export const COUNT_WAITING = 'count_waiting';

/** How many texts of a store wait, those of all users together. */
export const waitingCountSchema = z
  .int()
  .min(0)
  .describe('Texts that are stored and have no vector yet, of all users: words alone find them until then.');

/** The answer of {@link COUNT_WAITING}. */
export const countWaitingAnswerSchema = z.object({ waiting_count: waitingCountSchema });

/** Says how many texts of a store wait for their vectors, for a person who reads a check; empty where none does. */
export function describeWaiting(count: number): string {
  if (count === 0) return '';
  return `${count} ${count === 1 ? 'text waits for its vector' : 'texts wait for their vectors'}, found by words until then`;
}

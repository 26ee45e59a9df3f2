import { isContextloomError } from '@contextloom/contracts';
import type { DailyLog } from '@contextloom/contracts/agent-memory';
import type { MemoryParts } from '../editing/parts.ts';
import { isLasting } from '../model/ends.ts';
import { toDailyFile } from '../model/files.ts';

/** What the end of a day works with. */
export interface DayEndOptions extends Pick<MemoryParts, 'calendar' | 'clock' | 'onProblem'> {
  readonly daily: (date: string) => Promise<DailyLog>;
  /** Writes the summary of a day, unless it has one by then. */
  readonly summarize: (date: string, signal: AbortSignal) => Promise<unknown>;
}

/** So many days are made up for when the server did not run at their end. */
const DAYS = 7;

/** Builds what writes the summary of each day that has ended and has entries and no summary; a day that went wrong is tried again. */
export function createDayEnd({ calendar, clock, onProblem, daily, summarize }: DayEndOptions) {
  let seen: string | undefined;

  async function end(date: string, signal: AbortSignal): Promise<boolean> {
    try {
      const { items, summary } = await daily(date);
      if (items.some(isLasting) && summary === null) await summarize(date, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!isContextloomError(error)) throw error;
      onProblem(toDailyFile(date), error);
      return false;
    }
  }

  return async (signal: AbortSignal): Promise<void> => {
    const today = calendar.toLocal(clock()).date;
    if (today === seen) return;
    let isWhole = true;
    for (let back = DAYS; back > 0 && !signal.aborted; back -= 1) {
      isWhole = (await end(calendar.daysBefore(today, back), signal)) && isWhole;
    }
    if (isWhole && !signal.aborted) seen = today;
  };
}

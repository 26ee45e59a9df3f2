import { type Moment, toWallDate } from '@contextloom/retrieval/time';
import type { Doubt } from '../doubt.ts';
import { readDates } from './time-words.ts';

const DAY = 86_400_000;
/** A day or month of the year before may be meant when it is no longer ago than this. */
const HALF_A_YEAR = 183 * DAY;

/** A date of a fact that is still to come, of a year that nobody said: in January "in December" may mean the one before. */
export function findAheadOfPast(content: string, said: string, saidOn: Moment | undefined): Doubt | undefined {
  if (saidOn === undefined) return undefined;
  const now = Date.parse(toWallDate(saidOn));
  const ahead = readDates(content, Number(saidOn.slice(0, 4))).find(({ text, from }) => {
    const [year] = /\d{4}/u.exec(text) ?? [];
    if (year === undefined || from <= now || said.includes(year)) return false;
    const before = new Date(from);
    before.setUTCFullYear(before.getUTCFullYear() - 1);
    return before.getTime() <= now && now - before.getTime() <= HALF_A_YEAR;
  });
  return ahead && { reason: `still to come: ${ahead.text}`, isRefused: false };
}

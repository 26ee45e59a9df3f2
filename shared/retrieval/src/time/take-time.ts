import { DateTime } from 'luxon';
import { type FindTimesOptions, findTimes } from './find-times.ts';

/** A text that names one time: `the boat last summer`. */
export interface TimedText {
  /** The words that name the time. */
  readonly when: string;
  /** Its first and its last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** The text without these words. */
  readonly rest: string;
  /** The rest without words of asking (`what happened`), which no memory has of its own. */
  readonly matter: string;
}

/** Words of asking, which no memory has of its own. */
const ASKING =
  /(?<![\p{L}\p{N}])(?:happen(?:ed|s)?|sa(?:y|id)|t(?:ell|old|alk(?:ed)?)|did|do|remember(?:ed)?|memories|everything|something|anything)(?![\p{L}\p{N}])|发生|说过?|做过?|事情?|记忆|哪些|一切/giu;

/**
 * Takes the time out of what somebody looks for: "the boat last summer" is "the boat" within three months. Undefined of a text without a
 * time, and of one with several: all but one would be left out in silence.
 */
export function takeTime(text: string, options: FindTimesOptions): TimedText | undefined {
  const [time, another] = findTimes(text, options);
  if (time === undefined || another !== undefined) return undefined;
  const rest = [text.slice(0, time.index), text.slice(time.index + time.text.length)]
    .map((part) => part.trim())
    .join(' ')
    .trim();
  const toDay = (at: number): string => DateTime.fromMillis(at, { zone: options.zone ?? 'UTC' }).toISODate() ?? '';
  const days = { from: toDay(time.from), to: toDay(time.to - 1) };
  return { when: time.text, ...days, rest, matter: rest.replace(ASKING, ' ') };
}

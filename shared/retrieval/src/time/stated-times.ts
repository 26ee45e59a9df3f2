import { LANGUAGES } from '@contextloom/contracts';
import { detectLanguage, type TimeWords, wordsOf } from '@contextloom/languages';
import type { DateTime } from 'luxon';
import { type Reader, toReadable } from './text-positions.ts';
import { type TimeRange, toUnitRange } from './time-range.ts';

const UNITS = ['day', 'week', 'month', 'year'] as const;
const timeWords = new Map(LANGUAGES.map((language) => [language, wordsOf(language).times]));

/** Longer words first: one may begin as another does. */
const toPattern = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map(toReadable)
    .join('|');

const readable = (words: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(words).map(([word, offset]) => [toReadable(word), offset]));

function toReaders(words: TimeWords, said: DateTime): readonly Reader<TimeRange>[] {
  const weeks = readable(words.week);
  const { names, joint, ending } = words.weekday;
  const days = names.map(toReadable);
  const weekday: Reader<TimeRange> = [
    new RegExp(`(${toPattern(Object.keys(words.week))})(?:${joint})?(${toPattern(names)})(?:${ending})?`, 'gu'),
    ([week = '', day = '']) => {
      const at = said.startOf('week').plus({ weeks: weeks.get(week) ?? 0, days: days.indexOf(day) });
      return toUnitRange(at, 'day', at);
    },
  ];
  const units = UNITS.map((unit): Reader<TimeRange> => {
    const offsets = readable(words[unit]);
    return [
      new RegExp(`(${toPattern(Object.keys(words[unit]))})`, 'gu'),
      ([word = '']) => {
        const at = said.plus({ [unit]: offsets.get(word) ?? 0 });
        return toUnitRange(at, unit, at);
      },
    ];
  });
  return [weekday, ...units];
}

/** Builds the readers of words that tell a time in the language of a text: 来月 is next month in Japanese, and no time in 来月经. */
export function createTimeReaders(said: DateTime, text: string): readonly Reader<TimeRange>[] {
  const language = detectLanguage(text, { signsFrom: 0 });
  const words = language && timeWords.get(language);
  return words === undefined ? [] : toReaders(words, said);
}

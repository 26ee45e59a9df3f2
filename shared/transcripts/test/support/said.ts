import fc from 'fast-check';

/** What a turn of a generated chat says, and when. */
export interface Said {
  readonly speaker: string;
  readonly words: string;
  readonly at: Date;
}

/** The speakers of generated chats. */
export const NAMES = ['Ann', 'Ben Lee', '小明', '李四 🌻', 'Zoë', '王五'];
/** Words that a reader may take for something else. */
export const WORDS = [
  'hello',
  '你好',
  'see you at 10:30',
  'ok: fine',
  '(yes)',
  '"quoted"',
  '3/4',
  '明天见',
  'a, b',
  '100%',
  '👍🏽',
  '- list',
  'https://x.org/a?b=c',
];

interface TurnsOptions {
  readonly words?: readonly string[];
  readonly maxLines?: number;
  readonly minTurns?: number;
}

/** Turns one after the other in time, from Christmas 2023 on. */
export function toTurns({ words = WORDS, maxLines = 3, minTurns = 2 }: TurnsOptions = {}) {
  const line = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
  const text = fc.array(line, { minLength: 1, maxLength: maxLines }).map((lines) => lines.join('\n'));
  return fc
    .array(fc.record({ speaker: fc.constantFrom(...NAMES), words: text, gap: fc.integer({ min: 1, max: 200_000 }) }), {
      minLength: minTurns,
      maxLength: 30,
    })
    .map((all) => {
      let seconds = Date.UTC(2023, 11, 25, 9, 0, 0) / 1000;
      return all.map(({ speaker, words: own, gap }): Said => {
        seconds += gap;
        return { speaker, words: own, at: new Date(seconds * 1000) };
      });
    });
}

/** How long the pieces are in which a text comes, in characters. */
export const pieceSizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 5 });
/** What ends a line. */
export const ends = fc.constantFrom('\n', '\r\n');

export const two = (value: number): string => String(value).padStart(2, '0');
export const date = (at: Date): string => at.toISOString().slice(0, 10);
export const clock = (at: Date): string => at.toISOString().slice(11, 19);
export const minutes = (at: Date): string => at.toISOString().slice(11, 16);
/** `2:03 pm`. */
export const half = (at: Date): string =>
  `${at.getUTCHours() % 12 === 0 ? 12 : at.getUTCHours() % 12}:${two(at.getUTCMinutes())} ${at.getUTCHours() < 12 ? 'am' : 'pm'}`;

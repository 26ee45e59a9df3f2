import { isContextloomError } from '@contextloom/contracts';
import { findSuperlinear, REPEATED_UNITS } from '@contextloom/testing/growth';
import { toRounds } from '@contextloom/testing/rounds';
import { describe, expect, it } from '@jest/globals';
import { FORMAT_SAMPLES } from '../support/format-samples.ts';
import { readAll } from '../support/reading.ts';

/** Whatever a text is refused for, it is refused in no more time than reading it takes. */
function read(text: string, file: string | undefined): void {
  try {
    readAll(text, { ...(file !== undefined && { file }), pieces: [4_096] });
  } catch (error) {
    if (!isContextloomError(error)) throw error;
  }
}

const isJson = (text: string): boolean => /^\s*[[{]/u.test(text);

describe('a text of a bracket and blanks', () => {
  it.each(['[', '(', '【', '{', '[{'])('(%s) takes time that grows no faster than it', (open) => {
    expect(
      findSuperlinear((more) => read(`${open}${' '.repeat(more.length)}x`, undefined), { longest: 64_000 }),
    ).toEqual([]);
  });
});

/** In a short run each format is tried with some of the units, and each unit with some of the formats. */
const EACH = toRounds(12, 1);
const unitsOf = (at: number): readonly string[] => REPEATED_UNITS.filter((_, unit) => unit % EACH === at % EACH);

describe.each(FORMAT_SAMPLES.map(({ format, text, file }, at) => [format, text, file, unitsOf(at)] as const))(
  '%s',
  (_format, text, file, units) => {
    it('takes time that grows no faster than the words of a turn', () => {
      const toText = (words: string): string =>
        text.replace('hello tea', () => (isJson(text) ? JSON.stringify(words).slice(1, -1) : words));
      expect(findSuperlinear((words) => read(toText(words), file), { units, longest: 32_000 })).toEqual([]);
    });

    it('takes time that grows no faster than what follows it', () => {
      expect(findSuperlinear((more) => read(`${text}${more}`, file), { units, longest: 32_000 })).toEqual([]);
    });
  },
);

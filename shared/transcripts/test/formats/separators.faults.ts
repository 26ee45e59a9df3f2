import { isContextloomError } from '@contextloom/contracts';
import { findSuperlinear } from '@contextloom/testing/growth';
import { toRounds } from '@contextloom/testing/rounds';
import { describe, expect, it } from '@jest/globals';
import { FORMAT_SAMPLES } from '../support/format-samples.ts';
import { readAll } from '../support/reading.ts';

/** What may part the turns, the days or the paragraphs of a text. */
const SEPARATORS = [
  '\n10:00',
  '\n10:00 Ann',
  '\n#',
  '\n# 2024-03-05',
  '\n---',
  '\n>',
  '\n> a',
  '\n[',
  '\nName:',
  '\n2024-03-05',
  '\n2024-03-05 10:00',
  '\n05.03.2024',
  '\n3/5/24, 9:00 AM',
  '\n\n',
  '\n====',
  '\n- a',
  '\n1',
  '\n00:00:01.000 --> 00:00:02.000',
];
/** In a short run each format is tried with some of the separators, and each separator with some of the formats. */
const EACH = toRounds(9, 1);

function read(text: string, file: string | undefined): void {
  try {
    readAll(text, { ...(file !== undefined && { file }), pieces: [4_096] });
  } catch (error) {
    if (!isContextloomError(error)) throw error;
  }
}

describe.each(FORMAT_SAMPLES.map((sample, at) => [sample.format, sample, at] as const))('%s', (_format, sample, at) => {
  it('takes time that grows no faster than separators behind its turns', () => {
    const units = SEPARATORS.filter((_, unit) => unit % EACH === at % EACH);
    const text = sample.text.trimEnd();
    expect(findSuperlinear((more) => read(`${text}${more}`, sample.file), { units, longest: 64_000 })).toEqual([]);
  });
});

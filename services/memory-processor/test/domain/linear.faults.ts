import { findSuperlinear } from '@contextloom/testing/growth';
import { parseTranscript } from '@contextloom/transcripts';
import { describe, expect, it } from '@jest/globals';
import { readNames } from '../../src/domain/grounding/names/names.ts';
import { readNumbers, readStatedNumbers } from '../../src/domain/grounding/numbers/numbers.ts';
import { readDates } from '../../src/domain/grounding/time/time-words.ts';
import { findNotes } from '../../src/domain/notes/rules-reader.ts';
import { countDetails } from '../../src/domain/rating/detail.ts';
import { rateValence } from '../../src/domain/rating/importance.ts';
import { rateSentence, toAnswered } from '../../src/domain/rating/statements.ts';

/** Whatever a transcript is refused for, it is refused in no more time than reading it takes. */
function read(text: string): void {
  try {
    parseTranscript(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid' });
  }
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  readNames,
  readNumbers,
  readStatedNumbers,
  countDetails,
  rateSentence,
  rateValence,
  parseTranscript: read,
  findNotes: (text) => findNotes([{ speaker: 'user', voice: 'person', text }]),
  readDates: (text) => readDates(text, 2026),
  toAnswered: (text) => toAnswered(text, 'yes'),
};

describe('time grows no faster than a text', () => {
  it.each(Object.keys(READERS))('in %s', (name) => {
    expect(findSuperlinear((text) => READERS[name]?.(text), { longest: 32_000 })).toEqual([]);
  });
});

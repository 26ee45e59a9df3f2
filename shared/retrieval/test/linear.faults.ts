import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { chunkText } from '../src/chunk/index.ts';
import { toQueryTokens, toTokensWithForms } from '../src/ranking/index.ts';
import { findReplaced } from '../src/states/index.ts';
import {
  countTokens,
  cutSnippet,
  endsAsking,
  findContentWords,
  findMatches,
  isAssistantName,
  readQuestion,
  simplify,
  splitSentences,
  toBaseForms,
  toComparableText,
  tokenize,
  toLines,
} from '../src/text/index.ts';
import { findCalendarTimes, findDates, findTimes, parseTimeRange } from '../src/time/index.ts';

const now = new Date('2026-05-04T12:00:00Z');
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  simplify,
  splitSentences,
  toBaseForms,
  toComparableText,
  toLines,
  tokenize,
  countTokens,
  endsAsking,
  findContentWords,
  isAssistantName,
  readQuestion,
  toQueryTokens,
  toTokensWithForms,
  findCalendarTimes,
  findDates: (text) => findDates(text, 2026),
  findTimes: (text) => findTimes(text, { reference: now }),
  parseTimeRange: (text) => parseTimeRange(text, { now }),
  cutSnippet: (text) => cutSnippet(text, findMatches(text, tokenize('tea 茶 x'))),
  findMatches: (text) => findMatches(text, tokenize('tea 茶')),
  findReplaced: (text) => findReplaced([0, 1].map((time) => ({ text: `I live in Leeds. ${text}`, time, speaker: '' }))),
  chunkText: (text) => chunkText(text, { size: 200, countTokens: (part) => Math.ceil(part.length / 4) }),
};

describe('time grows no faster than a text', () => {
  it.each(Object.keys(READERS))('in %s', (name) => {
    expect(findSuperlinear((text) => READERS[name]?.(text))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { fileText } from '../../src/domain/stores/filing.ts';

const now = new Date('2026-05-04T20:00:00Z');
const folder = new URL('../support/profile-sentences/', import.meta.url);

interface Sentence {
  readonly text: string;
  /** By the keys of the profile, each with the forms in which its value may stand. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Reads lines of `sentence | key=form,form; key=form`; a line without values is a trap. */
function loadSentences(file: string): readonly Sentence[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [text = '', values = ''] = line.split(' | ');
      const fields = values.split('; ').filter((field) => field !== '');
      return { text, values: new Map(fields.map((field) => toField(field))) };
    });
}

function toField(field: string): [string, readonly string[]] {
  const [key = '', forms = ''] = field.split('=');
  return [key, forms.split(',')];
}

/** What the rules make of a sentence: its value, nothing, or something that it does not say. */
function judge({ text, values }: Sentence): 'right' | 'left alone' | 'wrong' {
  const filing = fileText({ text }, { now, zone: 'UTC' });
  if (filing.kind !== 'fact') return 'left alone';
  return values.get(filing.key)?.includes(filing.value) === true ? 'right' : 'wrong';
}

describe.each([
  ['english.txt', 56],
  ['chinese.txt', 51],
])('of the sentences of %s', (file, least) => {
  const sentences = loadSentences(file);

  it('none sets a value that it does not say', () => {
    const wrong = sentences.filter((sentence) => judge(sentence) === 'wrong');
    expect(wrong.map(({ text }) => [text, fileText({ text }, { now, zone: 'UTC' })])).toEqual([]);
  });

  it('those whose value is plain set it', () => {
    expect(sentences.filter((sentence) => judge(sentence) === 'right').length).toBeGreaterThanOrEqual(least);
  });
});

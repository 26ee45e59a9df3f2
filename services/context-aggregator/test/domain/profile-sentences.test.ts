import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { classifyMemory } from '../../src/domain/stores/classify-memory.ts';

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
  const classification = classifyMemory({ text }, { now, zone: 'UTC' });
  if (classification.kind !== 'fact') return 'left alone';
  return values.get(classification.key)?.includes(classification.value) === true ? 'right' : 'wrong';
}

describe.each([
  ['english.txt', 56],
  ['chinese.txt', 51],
])('of the sentences of %s', (file, least) => {
  const sentences = loadSentences(file);

  it('none sets a value that it does not say', () => {
    const wrong = sentences.filter((sentence) => judge(sentence) === 'wrong');
    expect(wrong.map(({ text }) => [text, classifyMemory({ text }, { now, zone: 'UTC' })])).toEqual([]);
  });

  it('those whose value is plain set it', () => {
    expect(sentences.filter((sentence) => judge(sentence) === 'right').length).toBeGreaterThanOrEqual(least);
  });
});

const published = new URL('../../../cli/bench/profile-values/', import.meta.url);

/** What the rules make of the sentences that the bench publishes figures of, lines of `key=value | sentence`. */
function judgePublished(file: string) {
  const lines = readFileSync(new URL(file, published), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [expected = '', text = ''] = line.split(' | ');
      const classification = classifyMemory({ text }, { now, zone: 'UTC' });
      return {
        text,
        expected,
        value: classification.kind === 'fact' ? `${classification.key}=${classification.value}` : '-',
      };
    });
}

const comparable = (value: string): string => value.toLowerCase().replace(/=the /u, '=');

describe.each([
  ['development.en.txt', 50],
  ['held-out.en.txt', 24],
  ['development.zh.txt', 54],
  ['held-out.zh.txt', 20],
])('of the published sentences of %s', (file, least) => {
  const answers = judgePublished(file);
  const isRight = ({ expected, value }: (typeof answers)[number]) => comparable(expected) === comparable(value);

  it('none sets a value that it does not say', () => {
    expect(answers.filter((answer) => answer.value !== '-' && !isRight(answer))).toEqual([]);
  });

  it('those whose value is plain set it', () => {
    const set = answers.filter((answer) => answer.value !== '-' && isRight(answer));
    expect(set.length).toBeGreaterThanOrEqual(least);
  });
});

describe('what is said of another thing than it looks', () => {
  it.each([
    'My hometown is Portugal.',
    "I'm originally from Kenya.",
    '我来自中国。',
    '我就职于上海。',
    '我在苏州住了三年。',
    '我和你说过住在上海。',
    'I have lived in Rome for two years, but that was long ago.',
  ])('sets no value: %s', (text) => {
    expect(classifyMemory({ text }, { now, zone: 'UTC' }).kind).not.toBe('fact');
  });
});

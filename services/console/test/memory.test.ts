import { describe, expect, it } from '@jest/globals';
import { findSuperlinear } from '../../../shared/tooling/growth.ts';
import { markWords } from '../src/memories/mark-words.ts';
import { splitId, toDay, toRows } from '../src/memories/memory.ts';

const toMatches = (text: string, query: string): readonly string[] =>
  markWords(text, query)
    .filter(({ isMatch }) => isMatch)
    .map(({ text: word }) => word);

describe('the words of a question', () => {
  it('are marked in a text, which stays whole', () => {
    const text = 'I live in Leith. Living <b>near</b> the sea.';
    expect(toMatches(text, 'Where do I live, near the sea?')).toEqual(['live', 'near', 'the', 'sea']);
    expect(
      markWords(text, 'sea')
        .map((one) => one.text)
        .join(''),
    ).toBe(text);
  });

  it('are marked where capital letters are longer or shorter than small ones', () => {
    expect(toMatches('İİİ Leith', 'leith')).toEqual(['Leith']);
  });

  it('are marked in Chinese', () => {
    expect(toMatches('我对芒果过敏。', '芒果')).toEqual(['芒', '果']);
    expect(toMatches('我对芒果过敏。', '果 x')).toEqual(['果']);
  });

  it('are found in time that grows with the text', () => {
    const units = ['word sea ', '芒果', 'a', ' ', 'é'];
    expect(findSuperlinear((text) => markWords(text, text), { units })).toEqual([]);
  });
});

describe('a list of memories', () => {
  it('stands below its kinds and days', () => {
    const rows = toRows(
      [
        { id: 'fact:city', text: 'city: Leith', store: 's', time: '2026-05-01T12:00:00.000Z' },
        { id: 'fact:job', text: 'job: pilot', store: 's', time: '2026-05-01T11:00:00.000Z' },
        { id: 'note:1', text: 'one', store: 's' },
      ],
      'en',
    );
    expect(rows.map((row) => (row.kind === 'day' ? [row.of, row.day] : row.memory.id))).toEqual([
      ['fact', 'May 1, 2026'],
      'fact:city',
      'fact:job',
      ['note', undefined],
      'note:1',
    ]);
  });

  it('shows a time that is no date as it is', () => {
    expect(toDay('the day before', 'en')).toBe('the day before');
    expect(toDay('+275760-09-14', 'en')).toBe('+275760-09-14');
    expect(toDay(undefined, 'en')).toBeUndefined();
  });

  it('has ids whose own part may have colons', () => {
    expect(splitId('event:a:b')).toEqual({ kind: 'event', own: 'a:b' });
  });
});

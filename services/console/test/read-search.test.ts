import { describe, expect, it } from '@jest/globals';
import { toIsoDay, toMonth, toOtherYears } from '../src/memories/days.ts';
import { readSearch } from '../src/memories/read-search.ts';

const now = new Date(2026, 4, 6, 12);
const summer = { from: '2025-06-01', to: '2025-08-31' };
const week = { from: '2026-04-27', to: '2026-05-03' };

describe('the one field for searching', () => {
  it.each([
    ['the boat last summer', { query: 'the boat', when: 'last summer', ...summer }],
    ['what did I say about the boat last week', { query: 'what did I say about the boat', when: 'last week', ...week }],
    ['last summer', { query: '', when: 'last summer', ...summer }],
    ['What happened last week?', { query: '', when: 'last week', ...week }],
    ['去年夏天', { query: '', when: '去年夏天', ...summer }],
    ['上周发生了什么', { query: '', when: '上周', ...week }],
    ['先週の船', { query: 'の船', when: '先週', ...week }],
    ['yesterday', { query: '', when: 'yesterday', from: '2026-05-05', to: '2026-05-05' }],
  ])('takes the time out of %s', async (text, expected) => {
    expect(await readSearch(text, now)).toEqual(expected);
  });

  it.each(['the boat', '船', 'May', '', 'yesterday or last summer'])('leaves %s as it is', async (query) => {
    expect(await readSearch(query, now)).toEqual({ query });
  });
});

describe('days where the reader is', () => {
  it('are looked for in other years, where those have them', () => {
    expect(toIsoDay(now)).toBe('2026-05-06');
    expect(toOtherYears('2026-05-06')).toEqual(['2025-05-06', '2024-05-06', '2023-05-06', '2022-05-06', '2021-05-06']);
    expect(toOtherYears('2028-02-29')).toEqual(['2024-02-29']);
  });

  it('are those of a whole month', () => {
    expect(toMonth(new Date(2026, 1, 10))).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  });
});

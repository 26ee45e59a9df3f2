import { describe, expect, it } from '@jest/globals';
import { parseText } from '../src/store/chroma/rows/rows.ts';
import { isEmpty, toNarrowing, toSelectionWhere } from '../src/store/chroma/rows/where.ts';
import { createWriteIntents } from '../src/store/chroma/writing/write-intents.ts';

describe('the intents of a process', () => {
  it('are abandoned once they are over, and those of others never are', () => {
    const mine = createWriteIntents('mine');
    const nonce = mine.begin();
    expect(mine.begin()).not.toBe(nonce);
    expect(mine.isAbandoned(nonce)).toBe(false);
    mine.end(nonce);
    expect(mine.isAbandoned(nonce)).toBe(true);
    expect(createWriteIntents('min').isAbandoned(nonce)).toBe(false);
  });
});

describe('the text of a row', () => {
  it('gives back tokens and content, whatever lines the content has', () => {
    const text = ' green tea \n 绿 茶 \nGreen tea.\n\n绿茶\n';
    expect(parseText(text)).toEqual({
      terms: ['green', 'tea'],
      unigrams: ['绿', '茶'],
      content: 'Green tea.\n\n绿茶\n',
    });
    expect(parseText('  \n  \n')).toEqual({ terms: [], unigrams: [], content: '' });
  });
});

describe('a filter for the engine', () => {
  const range = (test: 'gte' | 'lt', value: number) => ({ test, attribute: 'num:n', value }) as const;
  const among = (test: 'in' | 'not_in', values: readonly number[]) => ({ test, attribute: 'num:n', values }) as const;

  it('goes around numbers that the engine truncates, outward', () => {
    expect(toNarrowing(range('gte', 4.5), 'narrow')).toEqual({ 'num:n': { $gte: 4 } });
    expect(toNarrowing(range('lt', 4.5), 'narrow')).toEqual({ 'num:n': { $lte: 5 } });
    expect(toNarrowing(among('in', [5, 5.5]), 'narrow')).toEqual({
      $or: [{ 'num:n': { $in: [5] } }, { $and: [{ 'num:n': { $gte: 5 } }, { 'num:n': { $lte: 6 } }] }],
    });
  });

  it('leaves out what the engine cannot tell', () => {
    for (const condition of [range('gte', 1e21), among('not_in', [5]), among('in', [1e21, 5])]) {
      expect(toNarrowing(condition, 'narrow')).toBeUndefined();
    }
    expect(toNarrowing(range('gte', 5), 'ignore')).toBeUndefined();
    const either = { test: 'or', conditions: [range('gte', 1e21), among('in', [5])] } as const;
    expect(toNarrowing(either, 'narrow')).toBeUndefined();
    const both = { test: 'and', conditions: [range('gte', 1e21), among('in', [5])] } as const;
    expect(toNarrowing(both, 'narrow')).toEqual({ 'num:n': { $in: [5] } });
  });

  it('names the owners, and knows when nothing can match', () => {
    const always = { test: 'always' } as const;
    const of = (...owners: readonly string[]) => ({ visible: { kind: 'owners', owners } as const, condition: always });
    expect(toSelectionWhere(of('"ann"'), 'narrow')).toEqual({ 'doc:owner': '"ann"' });
    expect(toSelectionWhere(of('null', '"ann"'), 'narrow')).toEqual({ 'doc:owner': { $in: ['null', '"ann"'] } });
    expect([isEmpty(of()), isEmpty(of('null'))]).toEqual([true, false]);
  });
});

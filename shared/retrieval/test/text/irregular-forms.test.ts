import { describe, expect, it } from '@jest/globals';
import { findContentWords, toBaseForms, toOtherForms } from '../../src/text/index.ts';

describe('irregular forms', () => {
  it.each([
    ['bought', ['buy']],
    ['saw', ['see']],
    ['lay', ['lie']],
    ['children', ['child']],
    ['buy', []],
    ['walked', []],
    ['constructor', []],
  ])('have bases: %s', (word, bases) => {
    expect(toBaseForms(word)).toEqual(bases);
  });

  it('lead from the term of each form to those of all others', () => {
    expect([...toOtherForms('go')].sort()).toEqual(['goe', 'gone', 'went']);
    expect([...toOtherForms('went')].sort()).toEqual(['go', 'goe', 'gone']);
    expect(toOtherForms('walk')).toEqual([]);
    // `writing` and `writes` have the term of `write`.
    expect(toOtherForms('write')).toEqual(['wrote', 'written']);
  });
});

describe('findContentWords', () => {
  it('gives Latin words with content and the terms that the tokeniser makes of them', () => {
    expect(findContentWords("The Cafés' 3 dogs, 猫, and Ann's")).toEqual([
      { word: 'cafes', term: 'cafe' },
      { word: 'dogs', term: 'dog' },
      { word: 'ann', term: 'ann' },
    ]);
  });
});

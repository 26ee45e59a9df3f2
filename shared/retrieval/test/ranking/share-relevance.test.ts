import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRADES, gradeHits, shareRelevance } from '../../src/ranking/index.ts';

const share = (scores: readonly number[], nearest: number): readonly number[] =>
  scores.map(shareRelevance(scores, nearest));

describe('shareRelevance', () => {
  it('leaves a text that is alone, or far ahead, what the best has', () => {
    expect(share([3], 0.8)).toEqual([0.8]);
    const [first = 0, second = 1] = share([1, 0.3], 0.8);
    expect(first).toBeGreaterThan(0.79);
    expect(second).toBeLessThan(0.001);
  });

  it('gives none of ten that fit alike more than a tenth', () => {
    for (const relevance of share(Array<number>(10).fill(0.4), 1)) expect(relevance).toBeCloseTo(0.1);
  });

  it('keeps the order of scores, and shares out no more than the best has among the first twenty', () => {
    const scores = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(scores, fc.double({ min: 0, max: 1, noNaN: true }), (given, nearest) => {
        const sorted = [...given].sort((a, b) => b - a);
        const relevances = share(sorted, nearest);
        expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
        const sum = relevances.slice(0, 20).reduce((all, one) => all + one, 0);
        expect(sum).toBeLessThanOrEqual(nearest + 1e-9);
        for (const relevance of relevances) expect(relevance).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('gradeHits', () => {
  it('is as sure of an answer that is told twice as of one that is told once', () => {
    expect(gradeHits([GRADES.sure])?.most).toBeUndefined();
    expect(gradeHits([GRADES.sure / 2, GRADES.sure / 2])?.most).toBeUndefined();
    expect(gradeHits([(GRADES.least + GRADES.sure) / 2])?.most).toEqual(GRADES.doubtful);
    expect(gradeHits([GRADES.least / 2])).toEqual({ minRelevance: Number.POSITIVE_INFINITY });
    expect(gradeHits([GRADES.sure, undefined])).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findNamedTimes, toTimeFactor } from '../../src/domain/ranking/named-times.ts';
import { TIMES } from '../../src/domain/search/tuning.ts';

describe('the times that a query names', () => {
  it.each([
    ['What did Ann do on 8 May, 2024?', [{ months: [4], day: 8, year: 2024 }]],
    ['the 3rd of June', [{ months: [5], day: 3 }]],
    ['What happened on July 15?', [{ months: [6], day: 15 }]],
    ['How was March 2023?', [{ months: [2], year: 2023 }]],
    ['the trip in may', [{ months: [4] }]],
    ['in 2023', [{ year: 2023 }]],
    ['last summer', [{ months: [5, 6, 7] }]],
    ['in the winter of 2023', [{ months: [11, 0, 1], year: 2023 }]],
    ['五月八号我去了哪里', [{ months: [4], day: 8 }]],
    ['五月八號我去了哪裡', [{ months: [4], day: 8 }]],
    ['2024年12月的事', [{ months: [11], year: 2024 }]],
    ['十月二十三日', [{ months: [9], day: 23 }]],
    ['夏天在哪', [{ months: [5, 6, 7] }]],
    ['2023年', [{ year: 2023 }]],
  ])('%s', (query, named) => {
    expect(findNamedTimes(query)).toEqual(named);
  });

  it.each([
    'May I march?',
    'the soldiers march',
    'a fall from the horse',
    'spring water',
    'three months',
    '三个月以后',
    '吃了五月饼',
    '三個月以後',
    '13月',
    '45 May',
    'room 2024',
    '',
  ])('are none in %j', (query) => {
    expect(findNamedTimes(query)).toEqual([]);
  });

  it('lift what happened then, and what was told in the days after a day', () => {
    const weigh = (query: string, date: string) => toTimeFactor(findNamedTimes(query), Date.parse(date));
    expect(weigh('in May', '2024-05-20')).toBe(1 + TIMES.period);
    expect(weigh('in May', '2024-06-20')).toBe(1);
    expect(weigh('in 2023', '2024-05-20')).toBe(1);
    expect(weigh('on 8 May', '2024-05-12')).toBe((1 + TIMES.period) * (1 + TIMES.day));
    expect(weigh('on 30 May', '2024-06-03')).toBe(1 + TIMES.day);
    expect(weigh('on 8 May 2023', '2024-05-12')).toBe(1);
    expect(weigh('tea', '2024-05-12')).toBe(1);
  });

  it('lift by no more than their bounds, whatever is asked and whenever it was', () => {
    const asked = fc.oneof(
      fc.string(),
      fc.stringMatching(/^((in|on) ([0-9]{1,2} )?(May|June|winter|2024) ?|[0-9一十]{1,3}月[0-9]{0,2}日?){0,5}$/),
    );
    fc.assert(
      fc.property(asked, fc.double({ noNaN: true }), (query, time) => {
        const weight = toTimeFactor(findNamedTimes(query), time);
        expect(weight).toBeGreaterThanOrEqual(1);
        expect(weight).toBeLessThanOrEqual((1 + TIMES.period) * (1 + TIMES.day));
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { findDates, toIsoRange } from '../../src/time/index.ts';

const read = (text: string) =>
  findDates(text, 2024).map((date) => {
    const { from = '', to = '' } = toIsoRange(date);
    return `${date.text}: ${from.slice(0, 10)} ${to.slice(0, 10)}`;
  });

describe('findDates', () => {
  it.each([
    ['2023-05-08', ['2023-05-08: 2023-05-08 2023-05-09']],
    ['2023年5月8日', ['2023年5月8日: 2023-05-08 2023-05-09']],
    ['５月８日', ['5月8日: 2024-05-08 2024-05-09']],
    ['12月', ['12月: 2024-12-01 2025-01-01']],
    ['the 8th of May, 2023', ['8th of May, 2023: 2023-05-08 2023-05-09']],
    ['on Sept. 3', ['Sept. 3: 2024-09-03 2024-09-04']],
    ['March 2023', ['March 2023: 2023-03-01 2023-04-01']],
    ['room 2019', ['2019: 2019-01-01 2020-01-01']],
    ['2024-06-31', ['2024-06-31: 2024-06-01 2024-07-01']],
    ['45 May', []],
    ['2023-13-01', ['2023: 2023-01-01 2024-01-01']],
    ['tea in May', []],
  ])('%s', (text, dates) => {
    expect(read(text)).toEqual(dates);
  });

  it('takes the year of a whole date for no date of its own', () => {
    expect(read('from 8 May 2023 to 2025')).toEqual([
      '8 May 2023: 2023-05-08 2023-05-09',
      '2025: 2025-01-01 2026-01-01',
    ]);
  });
});

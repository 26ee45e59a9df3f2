import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isClock, parseClockOn, parseMoment, toInstant, toWallDate } from '../../src/time/index.ts';

describe('parseMoment', () => {
  it.each([
    ['2024-03-05', '2024-03-05'],
    ['2024/3/5', '2024-03-05'],
    ['2024-03-05 19:20', '2024-03-05T19:20:00Z'],
    ['2024-03-05T19:20:30.250Z', '2024-03-05T19:20:30Z'],
    ['2024-03-05T19:20:00+0800', '2024-03-05T19:20:00+08:00'],
    ['2024年3月5日', '2024-03-05'],
    ['2024年3月5日 星期二', '2024-03-05'],
    ['2024年3月5日 晚上7:20', '2024-03-05T19:20:00Z'],
    ['2024年3月5日 下午3点', '2024-03-05T15:00:00Z'],
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00Z'],
    ['12:48 am on 1 February, 2023', '2023-02-01T00:48:00Z'],
    ['8 May 2023', '2023-05-08'],
    ['May 8th, 2023', '2023-05-08'],
    ['Monday, May 8, 2023 at 1:56 PM', '2023-05-08T13:56:00Z'],
    [1_709_666_400, '2024-03-05T19:20:00.000Z'],
    [1_709_666_400_000, '2024-03-05T19:20:00.000Z'],
    ['1709666400', '2024-03-05T19:20:00.000Z'],
  ])('reads %p', (value, moment) => {
    expect(parseMoment(value)).toBe(moment);
  });

  it.each([
    '',
    'yesterday',
    '2024-02-30',
    '2024-13-01',
    '25:00',
    '8 Foo 2023',
    '2024-03-05T25:00',
    '2024-03-05T10:00+99:99',
    12,
  ])('takes %p for no date', (value) => {
    expect(parseMoment(value)).toBeUndefined();
  });

  it('reads back every ISO time that JavaScript writes, to the second', () => {
    const dates = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const moment = parseMoment(date.toISOString());
        expect(moment && toInstant(moment)).toBe(`${date.toISOString().slice(0, 19)}.000Z`);
      }),
    );
  });
});

describe('a moment', () => {
  it('keeps the day of the place where it was said, and is saved as UTC', () => {
    const moment = parseMoment('2024-03-06T01:00:00+08:00') ?? '';
    expect(toWallDate(moment)).toBe('2024-03-06');
    expect(toInstant(moment)).toBe('2024-03-05T17:00:00.000Z');
  });

  it('takes a time of day from a stamp', () => {
    expect(parseClockOn('2024-03-05', '7:20 pm')).toBe('2024-03-05T19:20:00Z');
    expect(parseClockOn('2024-03-05T08:00:00+08:00', '下午3:05')).toBe('2024-03-05T15:05:00+08:00');
    expect([isClock('19:20'), isClock('19:'), isClock('24:10'), isClock('noon')]).toEqual([true, false, false, false]);
  });
});

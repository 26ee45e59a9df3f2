import { describe, expect, it } from '@jest/globals';
import { findInstant } from '../../src/time/index.ts';

/** A Wednesday. */
const reference = new Date('2026-03-11T09:00:00Z');
const read = (text: string, zone?: string): string | undefined => {
  const instant = findInstant(text, { reference, zone });
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

describe('the moment of a text', () => {
  it.each([
    ['2026-12-01 下午3点', '2026-12-01T15:00'],
    ['2026-12-01 15:30 去机场', '2026-12-01T15:30'],
    ['明天下午3点和王医生见面', '2026-03-12T15:00'],
    ['后天早上八点半飞北京', '2026-03-13T08:30'],
    ['2026年12月1日下午三点一刻开会', '2026-12-01T15:15'],
    ['明天中午吃饭', '2026-03-12T12:00'],
    ['tomorrow at noon', '2026-03-12T12:00'],
    ['next Wednesday at 3pm I see the dentist', '2026-03-18T15:00'],
    ['at 7:20 pm on 5 May 2027 we sail', '2027-05-05T19:20'],
    ['on 5 May 2027 at 12 am', '2027-05-05T00:00'],
    ['2026-12-01T15:00:00+08:00', '2026-12-01T07:00'],
    ['昨天他提了三点建议', '2026-03-10T00:00'],
    ['上个月去了3个地方', '2026-02-01T00:00'],
    ['in March 2025', '2025-03-01T00:00'],
  ])('%j is %s', (text, moment) => {
    expect(read(text)).toBe(`${moment}:00.000Z`);
  });

  it('is told in the zone that is set', () => {
    expect(read('2026-12-01 下午3点', 'Asia/Shanghai')).toBe('2026-12-01T07:00:00.000Z');
    expect(read('2026-12-01', 'Asia/Shanghai')).toBe('2026-11-30T16:00:00.000Z');
  });

  it('is none where no day is named', () => {
    expect([read('三点'), read('tea')]).toEqual([undefined, undefined]);
  });
});

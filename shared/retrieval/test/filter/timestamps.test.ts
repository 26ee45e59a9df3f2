import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTimestamp } from '../../src/filter/index.ts';

describe('parseTimestamp', () => {
  it.each([
    ['2024-05-06', '2024-05-06T00:00:00.000Z'],
    ['2024-05-06T07:08', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06 07:08:09', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08:09.25Z', '2024-05-06T07:08:09.250Z'],
    ['2024-05-06t07:08:09,5z', '2024-05-06T07:08:09.500Z'],
    ['2024-05-06T00:30:00+08:00', '2024-05-05T16:30:00.000Z'],
    ['2024-05-06T00:30:00-0530', '2024-05-06T06:00:00.000Z'],
    ['2024-05-06T00:30:00+01', '2024-05-05T23:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ])('reads %s as %s, without a zone as UTC', (text, expected) => {
    expect(new Date(parseTimestamp(text) ?? Number.NaN).toISOString()).toBe(expected);
  });

  it.each([
    '',
    '2024',
    '2024-05',
    '20240506',
    '2024-13-01',
    '2024-00-10',
    '2023-02-29',
    '2024-04-31',
    '2024-05-06T24:00',
    '2024-05-06T10:60',
    '2024-05-06T10:00:60',
    '2024-05-06T10',
    '2024-05-06T10:00+25:00',
    '2024-05-06Z',
    ' 2024-05-06',
    '2024-05-06\n',
    '12024-05-06',
    '5',
    'yesterday',
  ])('does not take %j for a timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('keeps the microseconds that tell two moments apart', () => {
    const earlier = parseTimestamp('2024-05-06T07:08:09.123456Z') ?? Number.NaN;
    const later = parseTimestamp('2024-05-06T07:08:09.123457Z') ?? Number.NaN;
    expect(later).toBeGreaterThan(earlier);
    expect(later - earlier).toBeLessThan(0.01);
  });

  it('reads back whatever a Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }),
        (date) => {
          expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});

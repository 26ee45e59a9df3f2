import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWithin, parseTimeRange, TIME_RANGE_FORMS, toIsoRange } from '../../src/time/index.ts';

/** A Wednesday. */
const now = new Date('2024-05-15T12:00:00.000Z');

function read(text: string, zone?: string): string {
  const range = parseTimeRange(text, { now, zone });
  if (range === undefined) return 'none';
  const { from = '', to = '' } = toIsoRange(range);
  return `${from} ${to}`.replaceAll(':00.000Z', 'Z').replaceAll('T00:00Z', '');
}

describe('parseTimeRange', () => {
  it.each([
    ['today', '2024-05-15 2024-05-16'],
    ['yesterday', '2024-05-14 2024-05-15'],
    ['Tomorrow', '2024-05-16 2024-05-17'],
    ['this_week', '2024-05-13 2024-05-20'],
    ['this_month', '2024-05-01 2024-06-01'],
    ['this_quarter', '2024-04-01 2024-07-01'],
    ['this_year', '2024-01-01 2025-01-01'],
    ['next_week', '2024-05-20 2024-05-27'],
    ['last_week', '2024-05-08T12:00Z 2024-05-15T12:00:00.001Z'],
    ['last_month', '2024-04-15T12:00Z 2024-05-15T12:00:00.001Z'],
    ['last_year', '2023-05-16T12:00Z 2024-05-15T12:00:00.001Z'],
    ['last_7_days', '2024-05-08T12:00Z 2024-05-15T12:00:00.001Z'],
    ['last_2_weeks', '2024-05-01T12:00Z 2024-05-15T12:00:00.001Z'],
    ['2024', '2024-01-01 2025-01-01'],
    ['2024-01', '2024-01-01 2024-02-01'],
    ['2023-12', '2023-12-01 2024-01-01'],
    ['2024-02-29', '2024-02-29 2024-03-01'],
    ['2024-W03', '2024-01-15 2024-01-22'],
    ['2024-w01', '2024-01-01 2024-01-08'],
    ['2024-Q2', '2024-04-01 2024-07-01'],
    ['2024-01-15T09:30', '2024-01-15T09:30Z 2024-01-15T09:31Z'],
    ['2024-01-15T09:30:00+08:00', '2024-01-15T01:30Z 2024-01-15T01:30:01.000Z'],
    ['2024-01-15 09:30:00.25Z', '2024-01-15T09:30:00.250Z 2024-01-15T09:30:00.251Z'],
    ['2024-01..2024-03', '2024-01-01 2024-04-01'],
    ['2024-01-15..2024-01-15', '2024-01-15 2024-01-16'],
    ['2024-01-15T09:00Z..2024-01-15T10:00Z', '2024-01-15T09:00Z 2024-01-15T10:00Z'],
    [' 2024-01 .. ', '2024-01-01 '],
    ['..2024-03', ' 2024-04-01'],
    ['last_month..yesterday', '2024-04-15T12:00Z 2024-05-15'],
    ['今天', '2024-05-15 2024-05-16'],
    ['昨天', '2024-05-14 2024-05-15'],
    ['前天', '2024-05-13 2024-05-14'],
    ['上周', '2024-05-06 2024-05-13'],
    ['上週', '2024-05-06 2024-05-13'],
    ['这周', '2024-05-13 2024-05-20'],
    ['本月', '2024-05-01 2024-06-01'],
    ['上个月', '2024-04-01 2024-05-01'],
    ['今年', '2024-01-01 2025-01-01'],
    ['去年', '2023-01-01 2024-01-01'],
    ['前年', '2022-01-01 2023-01-01'],
    ['最近7天', '2024-05-08 2024-05-16'],
    ['最近三个月', '2024-02-15 2024-05-16'],
    ['2024年3月', '2024-03-01 2024-04-01'],
    ['2024年3月5日', '2024-03-05 2024-03-06'],
    ['２０２４年３月', '2024-03-01 2024-04-01'],
    ['2024年', '2024-01-01 2025-01-01'],
    ['去年夏天', '2023-06-01 2023-09-01'],
    ['last week', '2024-05-06 2024-05-13'],
    ['last summer', '2023-06-01 2023-09-01'],
    ['summer 2022', '2022-06-01 2022-09-01'],
    ['March', '2024-03-01 2024-04-01'],
    ['May 8, 2023', '2023-05-08 2023-05-09'],
    ['two weeks ago', '2024-04-29 2024-05-06'],
    ['2022..last summer', '2022-01-01 2023-09-01'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '..',
    '2024..2025..2026',
    '2024-03..2024-01',
    '2024-13',
    '2024-W54',
    '2024-Q5',
    '2023-02-29',
    '2024-01-15T25:00',
    '20240115',
    '24',
    'last_0_days',
    'last_week_',
    'sometime',
    'tea last week',
    'yesterday and today',
    '明天见',
    `${'9'.repeat(200)}`,
  ])('takes %j for no range', (text) => {
    expect(read(text)).toBe('none');
  });

  it('reads every form that it names', () => {
    for (const form of TIME_RANGE_FORMS) expect([form, read(form)]).not.toEqual([form, 'none']);
  });

  it('begins days, weeks and months where the zone does', () => {
    expect(read('today', 'Asia/Shanghai')).toBe('2024-05-14T16:00Z 2024-05-15T16:00Z');
    expect(read('2024-01', 'Asia/Shanghai')).toBe('2023-12-31T16:00Z 2024-01-31T16:00Z');
    expect(read('2024-01-15T09:30', 'America/New_York')).toBe('2024-01-15T14:30Z 2024-01-15T14:31Z');
    expect(read('上周', 'America/New_York')).toBe('2024-05-06T04:00Z 2024-05-13T04:00Z');
  });

  it('gives the days on which clocks change 23 and 25 hours', () => {
    expect(read('2024-03-10', 'America/New_York')).toBe('2024-03-10T05:00Z 2024-03-11T04:00Z');
    expect(read('2024-11-03', 'America/New_York')).toBe('2024-11-03T04:00Z 2024-11-04T05:00Z');
    // At midnight there it was one o'clock at once.
    expect(read('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00Z 2018-11-05T02:00Z');
  });

  const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'America/Sao_Paulo', 'Asia/Kathmandu');
  const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
  const expression = fc.oneof(
    fc.constantFrom(...TIME_RANGE_FORMS, '上上周', '前几天', 'recently', 'in 3 days', '下个月', 'next friday'),
    fc
      .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom('day', 'weeks', 'month', 'years'))
      .map(([count, unit]) => `last_${count}_${unit}`),
    moment.map((date) => date.toISOString().slice(0, 10)),
  );

  it('gives whole numbers, the first before the last, in every zone at every time', () => {
    fc.assert(
      fc.property(expression, moment, zone, (text, at, inZone) => {
        const range = parseTimeRange(text, { now: at, zone: inZone });
        if (range === undefined) throw new Error(`${text} was not read`);
        expect(range.from).toBeLessThan(range.to);
        expect(isWithin(range.from, range)).toBe(true);
        expect(isWithin(range.to, range)).toBe(false);
      }),
    );
  });

  it('has days, weeks, months and years follow each other without gap or overlap', () => {
    const unit = fc.constantFrom('week', 'month', 'quarter', 'year');
    fc.assert(
      fc.property(unit, moment, zone, (name, at, inZone) => {
        const one = parseTimeRange(`this_${name}`, { now: at, zone: inZone });
        const following = parseTimeRange(`next_${name}`, { now: at, zone: inZone });
        const today = parseTimeRange('today', { now: at, zone: inZone });
        expect(following?.from).toBe(one?.to);
        expect(parseTimeRange('tomorrow', { now: at, zone: inZone })?.from).toBe(today?.to);
        for (const range of [one, today]) expect(range !== undefined && isWithin(at.getTime(), range)).toBe(true);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.TWQ:Z_ lastdyweek一二上周天年月-]{0,30}$/));
    fc.assert(
      fc.property(text, zone, (any, inZone) => {
        const range = parseTimeRange(any, { now, zone: inZone });
        expect(range === undefined || range.from < range.to).toBe(true);
      }),
    );
  });
});

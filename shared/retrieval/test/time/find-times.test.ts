import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findTimes, toIsoRange } from '../../src/time/index.ts';

/** A Wednesday. */
const reference = new Date('2024-05-15T12:00:00Z');

const read = (text: string, zone?: string): readonly string[] =>
  findTimes(text, { reference, zone }).map((range) => {
    const { from = '', to = '' } = toIsoRange(range);
    return `${range.text}: ${from} ${to}`.replaceAll('T00:00:00.000Z', '').replaceAll(':00:00.000Z', 'h');
  });

describe('findTimes', () => {
  it.each([
    ['What did we do last summer?', 'last summer: 2023-06-01 2023-09-01'],
    ['We met in March.', 'in March: 2024-03-01 2024-04-01'],
    ['We meet in June.', 'June: 2023-06-01 2023-07-01'],
    ['In the winter of 2023 it snowed', 'In the winter of 2023: 2023-12-01 2024-03-01'],
    ['two weeks ago', 'two weeks ago: 2024-04-29 2024-05-06'],
    ['a year ago', 'a year ago: 2023-01-01 2024-01-01'],
    ['3 days ago', '3 days ago: 2024-05-12 2024-05-13'],
    ['a few days ago', 'a few days ago: 2024-05-08 2024-05-14'],
    ['Yesterday I ran', 'Yesterday: 2024-05-14 2024-05-15'],
    ['last night', 'last night: 2024-05-14 2024-05-15'],
    ['this morning', 'this morning: 2024-05-15 2024-05-16'],
    ['last week', 'last week: 2024-05-06 2024-05-13'],
    ['in the past 3 weeks', 'past 3 weeks: 2024-04-24 2024-05-16'],
    ['last weekend', 'last weekend: 2024-05-11 2024-05-13'],
    ['last Tuesday', 'last Tuesday: 2024-05-14 2024-05-15'],
    ['on Friday', 'on Friday: 2024-05-10 2024-05-11'],
    ['next Friday', 'next Friday: 2024-05-24 2024-05-25'],
    ['next month', 'next month: 2024-06-01 2024-07-01'],
    ['last May', 'last May: 2023-05-01 2023-06-01'],
    ['next winter', 'next winter: 2024-12-01 2025-03-01'],
    ['on 8 May 2023', 'on 8 May 2023: 2023-05-08 2023-05-09'],
    ['on May 20', 'May 20: 2023-05-20 2023-05-21'],
    ['Feb 3rd', 'Feb 3rd: 2024-02-03 2024-02-04'],
    ['29 February', '29 February: 2024-02-29 2024-03-01'],
    ['from May 3 to May 5', 'May 3 to May 5: 2024-05-03 2024-05-06'],
    ['2024-03-05', '2024-03-05: 2024-03-05 2024-03-06'],
    ['in 2019', 'in 2019: 2019-01-01 2020-01-01'],
    ['what I did recently', 'recently: 2024-04-15 2024-05-16'],
    ['上周三我们去了哪里', '上周三: 2024-05-08 2024-05-09'],
    ['去年夏天', '去年夏天: 2023-06-01 2023-09-01'],
    ['去年五月八号', '去年五月八号: 2023-05-08 2023-05-09'],
    ['三天前', '三天前: 2024-05-12 2024-05-13'],
    ['两周前', '两周前: 2024-04-29 2024-05-06'],
    ['十五天以前', '十五天以前: 2024-04-30 2024-05-01'],
    ['半年前', '半年前: 2023-11-01 2023-12-01'],
    ['上個月搬家', '上個月: 2024-04-01 2024-05-01'],
    ['我上周搬家', '上周: 2024-05-06 2024-05-13'],
    ['上上周', '上上周: 2024-04-29 2024-05-06'],
    ['上周末', '上周末: 2024-05-11 2024-05-13'],
    ['昨天和妈妈吃饭', '昨天: 2024-05-14 2024-05-15'],
    ['昨晚', '昨晚: 2024-05-14 2024-05-15'],
    ['五月八号', '五月八号: 2024-05-08 2024-05-09'],
    ['三月的时候', '三月: 2024-03-01 2024-04-01'],
    ['2023年12月的事', '2023年12月: 2023-12-01 2024-01-01'],
    ['最近怎么样', '最近: 2024-04-15 2024-05-16'],
  ])('%s', (text, found) => {
    expect(read(text)).toEqual([found]);
  });

  it.each([
    ['a Monday', '2024-05-13', ['05-15', '05-08', '05-22', '05-12', '05-19', '05-26']],
    ['a Wednesday', '2024-05-15', ['05-15', '05-08', '05-22', '05-12', '05-19', '05-26']],
    ['a Saturday', '2024-05-18', ['05-15', '05-08', '05-22', '05-12', '05-19', '05-26']],
    ['a Sunday', '2024-05-19', ['05-15', '05-08', '05-22', '05-12', '05-19', '05-26']],
  ])('counts Chinese weeks from Monday on %s', (_name, day, expected) => {
    const days = ['这周三', '上周三', '下个星期三', '上礼拜天', '本周日', '下週日'].map((text) => {
      const found = findTimes(text, { reference: new Date(`${day}T12:00:00Z`) });
      expect(found.map((time) => [time.text, time.to - time.from])).toEqual([[text, 86_400_000]]);
      return new Date(found[0]?.from ?? 0).toISOString().slice(5, 10);
    });
    expect(days).toEqual(expected);
  });

  it.each([
    ['上上周五', '上上周五: 2024-05-03 2024-05-04'],
    ['下下周一', '下下周一: 2024-05-27 2024-05-28'],
    ['下周一到下周三开会', '下周一到下周三: 2024-05-20 2024-05-23'],
    ['上周五至周日', '上周五至周日: 2024-05-10 2024-05-13'],
    ['上周五到下周二', '上周五到下周二: 2024-05-10 2024-05-22'],
    ['下周三到三亚', '下周三: 2024-05-22 2024-05-23'],
    ['下周三下午3点', '下周三: 2024-05-22 2024-05-23'],
  ])('takes the day of a week: %s', (text, found) => {
    expect(read(text)[0]).toEqual(found);
  });

  it.each([
    '',
    'May I march?',
    'the sun was out and the cat sat',
    'I am here now',
    'call at 5',
    'three months of tea',
    'version 2.3.4',
    'room 2024',
    '吃了五月饼',
    '天天向上',
    '周游世界',
  ])('finds none in %j', (text) => {
    expect(read(text)).toEqual([]);
  });

  it('gives all of a text in its order, with where they stand', () => {
    const text = 'In 2019 we moved, last summer the cat came, and yesterday it left. 去年夏天';
    const found = findTimes(text, { reference });
    expect(found.map(({ text: words }) => words)).toEqual(['In 2019', 'last summer', 'yesterday', '去年夏天']);
    for (const { index, text: words } of found) expect(text.slice(index, index + words.length)).toBe(words);
  });

  it('keeps positions behind traditional characters, emoji and full-width digits', () => {
    const text = '😀貓䲰２０２３年３月';
    expect(findTimes(text, { reference })).toEqual([
      expect.objectContaining({ index: text.indexOf('２'), text: '２０２３年３月', from: Date.UTC(2023, 2) }),
    ]);
  });

  it('counts days where the zone is', () => {
    const late = new Date('2024-05-15T20:00:00Z');
    const [inShanghai] = findTimes('昨天', { reference: late, zone: 'Asia/Shanghai' });
    expect(inShanghai).toMatchObject({ from: Date.parse('2024-05-14T16:00Z'), to: Date.parse('2024-05-15T16:00Z') });
    const [inNewYork] = findTimes('on 10 March 2024', { reference: late, zone: 'America/New_York' });
    expect(inNewYork).toMatchObject({ from: Date.parse('2024-03-10T05:00Z'), to: Date.parse('2024-03-11T04:00Z') });
  });

  it('gives ranges of a day or more that stand where it says and never overlap, whatever the text', () => {
    const words = fc.constantFrom(
      ...['last', 'May', 'march', '8', '2023', 'two', 'weeks', 'ago', 'in', 'Friday', 'summer', 'yesterday', ',', 'to'],
      ...['上', '周', '三', '天', '前', '月', '去年', '夏天', '最近', '号', '日', '一', '半', '末', '個', '\u0000'],
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.tuple(fc.constantFrom('', ' '), fc.array(words, { maxLength: 12 })).map(([gap, list]) => list.join(gap)),
    );
    const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York');
    const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(text, zone, date, (any, inZone, at) => {
        let end = 0;
        for (const { from, to, index, text: found } of findTimes(any, { reference: at, zone: inZone })) {
          expect(to - from).toBeGreaterThanOrEqual(22 * 3_600_000);
          expect(any.slice(index, index + found.length)).toBe(found);
          expect(index).toBeGreaterThanOrEqual(end);
          end = index + found.length;
        }
      }),
    );
  });
});

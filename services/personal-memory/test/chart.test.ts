import { describe, expect, it } from '@jest/globals';
import { drawTrends } from '../src/charts/draw-trends.ts';
import type { MonthTrend } from '../src/domain/events/trends.ts';

const toTrends = (months: readonly MonthTrend[]) => ({
  count: 1,
  firstTime: undefined,
  lastTime: undefined,
  perMonth: 1,
  spend: 0,
  rhythm: undefined,
  months,
});
const toMonths = (counts: readonly number[], spend: (at: number) => number = () => 0) =>
  counts.map((count, at) => ({
    month: `${2000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
    count,
    spend: spend(at),
  }));

const heightsOf = (svg: string, color: string): readonly number[] =>
  [...svg.matchAll(/height="(?<height>[\d.]+)" fill="(?<fill>#\w+)"/g)]
    .filter(({ groups }) => groups?.['fill'] === color)
    .map(({ groups }) => Number(groups?.['height']));

const EVENTS = '#4c78a8';
const COST = '#e49444';

describe('a chart of events by month', () => {
  it('has a bar a month, as high as its events, and whole numbers at its axis', () => {
    const svg = drawTrends(toTrends(toMonths([1, 0, 4, 2])), 'Events by month');
    expect(heightsOf(svg, EVENTS)).toEqual([40, 0, 160, 80]);
    expect(heightsOf(svg, COST)).toEqual([]);
    const ticks = [...svg.matchAll(/text-anchor="end">(?<tick>[\d.,]+)</g)].map(({ groups }) => groups?.['tick']);
    expect(ticks).toEqual(['0', '1', '2', '3', '4']);
    expect(svg).toContain('>2000-03</text>');
  });

  it('has the costs below where there are any, also those that came back', () => {
    const svg = drawTrends(toTrends(toMonths([1, 1], (at) => (at === 0 ? 100 : -50))), 'Events by month');
    const [paid = 0, back = 0] = heightsOf(svg, COST);
    expect(paid / back).toBeCloseTo(2, 2);
    expect(heightsOf(svg, EVENTS)).toHaveLength(2);
  });

  it('names fewer months than it draws where they are many', () => {
    const svg = drawTrends(toTrends(toMonths(Array.from({ length: 600 }, () => 1))), 'Events by month');
    expect(heightsOf(svg, EVENTS)).toHaveLength(600);
    expect(svg.match(/rotate\(-45\)/g)?.length).toBe(40);
  });

  it.each([[[]], [[0]], [[1]]])('is drawn of the counts %j, without a number that is none', (counts) => {
    const svg = drawTrends(toTrends(toMonths(counts)), '<b>&"');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(svg).toContain('>&lt;b&gt;&amp;&quot;</text>');
  });
});

import { scaleBand, scaleLinear } from 'd3-scale';
import type { MonthTrend, Trends } from '../domain/events/trends.ts';

/** Sizes in pixels. */
const WIDTH = 640;
const HEIGHT = 160;
const MARGIN = { left: 56, right: 16, top: 12, bottom: 56 };
const TITLE_HEIGHT = 24;
/** As many months as can be read below the axis, turned. */
const MOST_LABELS = 40;
const TICKS = 5;

interface Panel {
  readonly label: string;
  readonly color: string;
  readonly toValue: (month: MonthTrend) => number;
  /** Half an event does not happen. */
  readonly isWhole: boolean;
}

const panels: readonly Panel[] = [
  { label: 'events', color: '#4c78a8', toValue: ({ count }) => count, isWhole: true },
  { label: 'cost', color: '#e49444', toValue: ({ spend }) => spend, isWhole: false },
];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
const round = (value: number): number => Math.round(value * 100) / 100;

/** The bars of one value, with both axes. */
function drawPanel(months: readonly MonthTrend[], { label, color, toValue, isWhole }: Panel): string {
  const values = months.map(toValue);
  const [least, most] = [Math.min(0, ...values), Math.max(isWhole ? 1 : 0, ...values)];
  const y = scaleLinear([least, most], [HEIGHT, 0]).nice(TICKS);
  const x = scaleBand(
    months.map(({ month }) => month),
    [0, WIDTH],
  ).padding(0.1);
  const ticks = y.ticks(TICKS).filter((tick) => !isWhole || Number.isInteger(tick));
  const lines = ticks.map((tick) => {
    const at = round(y(tick));
    const text = `<text x="-8" y="${at}" dy="0.35em" text-anchor="end">${tick.toLocaleString('en')}</text>`;
    return `<line x2="${WIDTH}" y1="${at}" y2="${at}" stroke="#eee"/>${text}`;
  });
  const zero = y(0);
  const bars = months.map((month) => {
    const at = y(toValue(month));
    const box = `x="${round(x(month.month) ?? 0)}" y="${round(Math.min(at, zero))}" width="${round(x.bandwidth())}"`;
    return `<rect ${box} height="${round(Math.abs(at - zero))}" fill="${color}"/>`;
  });
  const step = Math.ceil(months.length / MOST_LABELS);
  const labels = months
    .filter((_month, at) => at % step === 0)
    .map(({ month }) => {
      const at = round((x(month) ?? 0) + x.bandwidth() / 2);
      return `<text transform="translate(${at} ${HEIGHT + 12}) rotate(-45)" text-anchor="end">${escapeText(month)}</text>`;
    });
  const name = `<text transform="translate(-44 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${label}</text>`;
  return [...lines, ...bars, ...labels, name].join('');
}

/** Draws the events of each month, and their cost if there is any, as an SVG. */
export function drawTrends({ months }: Trends, title: string): string {
  const hasSpend = months.some(({ spend }) => spend !== 0);
  const panelHeight = MARGIN.top + HEIGHT + MARGIN.bottom;
  const drawn = (hasSpend ? panels : panels.slice(0, 1)).map((panel, at) => {
    const top = TITLE_HEIGHT + at * panelHeight + MARGIN.top;
    return `<g transform="translate(${MARGIN.left} ${top})">${drawPanel(months, panel)}</g>`;
  });
  const [width, height] = [MARGIN.left + WIDTH + MARGIN.right, TITLE_HEIGHT + drawn.length * panelHeight];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ' font-family="sans-serif" font-size="11">',
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${MARGIN.left}" y="17" font-size="13" font-weight="bold">${escapeText(title)}</text>`,
    ...drawn,
    '</svg>',
  ].join('');
}

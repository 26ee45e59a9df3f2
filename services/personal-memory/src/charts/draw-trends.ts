import { loadOptional } from '@contextloom/contracts';
import type { TopLevelSpec } from 'vega-lite';
import type { Trends } from '../domain/events/trends.ts';

const monthAxis = {
  field: 'month',
  type: 'ordinal' as const,
  title: null,
  axis: { labelAngle: -45, labelOverlap: true },
};

function toSpec({ months }: Trends, title: string): TopLevelSpec {
  const hasSpend = months.some(({ spend }) => spend !== 0);
  const layer = (field: 'count' | 'spend', label: string, color: string) => ({
    width: 640,
    height: 160,
    mark: { type: 'bar' as const, color, cornerRadiusEnd: 2 },
    encoding: {
      x: monthAxis,
      y: {
        field,
        type: 'quantitative' as const,
        title: label,
        // Half an event does not happen.
        axis: { tickMinStep: field === 'count' ? 1 : 0.01, format: field === 'count' ? 'd' : ',.2~f' },
      },
    },
  });
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text: title, anchor: 'start' },
    background: 'white',
    data: { values: months.map((month) => ({ ...month })) },
    vconcat: [layer('count', 'events', '#4c78a8'), ...(hasSpend ? [layer('spend', 'cost', '#e49444')] : [])],
    config: { view: { stroke: null }, axis: { grid: true, gridColor: '#eee' } },
  };
}

/** 13 MB with what they need, which most never use. */
const charts = { needs: 'charts need', packages: ['vega@6.4.0', 'vega-lite@6.4.3'] };

/** Draws the events of each month, and their cost if there is any, with Vega-Lite: an SVG without a browser. */
export async function drawTrends(trends: Trends, title: string): Promise<string> {
  // Loaded for the first chart: it takes half a second, which most servers need not wait.
  const { parse, View } = await loadOptional(charts, () => import('vega'));
  const { compile } = await loadOptional(charts, () => import('vega-lite'));
  const view = new View(parse(compile(toSpec(trends, title)).spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

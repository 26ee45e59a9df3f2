// Draws what growth.mjs has measured, with Vega-Lite: an SVG without a browser.
import { loadOptional } from '@contextloom/contracts';

const CHARTS = { needs: 'charts need', packages: ['vega@6.4.0', 'vega-lite@6.4.3'] };

const toPoints = ({ documents, what, p50, p95 }) => [
  { documents, search: `${what}, p50`, milliseconds: p50 },
  { documents, search: `${what}, p95`, milliseconds: p95 },
];

const loadCharts = () =>
  loadOptional(CHARTS, async () => ({ ...(await import('vega')), ...(await import('vega-lite')) }));

/** The chart of searches by the number of documents, both axes logarithmic, as SVG text. @throws ContextloomError `unavailable`, with the command that installs what draws */
export async function drawGrowth(results) {
  const { compile, parse, View } = await loadCharts();
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: 'Search time as the store grows',
    background: 'white',
    width: 560,
    height: 320,
    data: { values: results.flatMap(toPoints) },
    mark: { type: 'line', point: true },
    encoding: {
      x: {
        field: 'documents',
        type: 'quantitative',
        scale: { type: 'log', nice: false },
        axis: { values: [...new Set(results.map(({ documents }) => documents))], format: ',d' },
      },
      y: {
        field: 'milliseconds',
        type: 'quantitative',
        scale: { type: 'log' },
        title: 'milliseconds a search',
        axis: { values: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000], format: 'd' },
      },
      color: { field: 'search', type: 'nominal', title: null, legend: { labelLimit: 300 } },
    },
  };
  return new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
}

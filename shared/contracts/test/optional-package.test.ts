import { expect, it } from '@jest/globals';
import { loadOptional } from '../src/index.ts';

const charts = { needs: 'charts need', packages: ['vega@6.4.0', 'vega-lite@6.4.3'] };
const absent = '@contextloom/there-is-no-such-package';

it('says how to install what is missing', async () => {
  await expect(loadOptional(charts, () => import(absent))).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'charts need vega@6.4.0 and vega-lite@6.4.3, which you install next to contextloom: npm install vega@6.4.0 vega-lite@6.4.3',
  });
});

it('answers what is there, and passes other errors on', async () => {
  expect(await loadOptional(charts, async () => 'there')).toBe('there');
  const broken = new Error('broken');
  await expect(loadOptional(charts, () => Promise.reject(broken))).rejects.toBe(broken);
});

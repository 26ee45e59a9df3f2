import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import LongestFirst from '../longest-first.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const seconds = JSON.parse(readFileSync(new URL('../suite-seconds.json', import.meta.url), 'utf8'));

/** The order of suites of the given sizes on a machine that has run none of them. */
function sort(sizes) {
  const getSize = (path) => sizes[relative(root, path)];
  const context = { config: { rootDir: root, cache: false }, hasteFS: { getSize } };
  const tests = Object.keys(sizes).map((file) => ({ path: join(root, file), context }));
  return new LongestFirst().sort(tests).map(({ path }) => relative(root, path));
}

it('begins with the suites that take long, and goes on with the largest', () => {
  const [long, shorter] = Object.keys(seconds);
  const sizes = { 'small.e2e.ts': 500, [shorter]: 400, 'large.e2e.ts': 9_000, [long]: 300 };
  expect(sort(sizes)).toEqual([long, shorter, 'large.e2e.ts', 'small.e2e.ts']);
});

it('lists suites that exist, the longest first', () => {
  expect(Object.keys(seconds).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(Object.values(seconds)).toEqual(Object.values(seconds).toSorted((a, b) => b - a));
});

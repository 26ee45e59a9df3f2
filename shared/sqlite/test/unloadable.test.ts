import { expect, it } from '@jest/globals';
import { describeUnloadable } from '../src/database/connect.ts';

const missing = Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });

it('tells a package that npm left out from one without a binary', () => {
  const older = { package: 'better-sqlite3', nodeMajor: 20 };
  expect(describeUnloadable({ ...older, cause: missing })).toMatch(
    /Install contextloom again.*better-sqlite3@12.*Node 22/,
  );
  expect(describeUnloadable({ ...older, cause: new Error('Could not locate the bindings file') })).toContain(
    'npm rebuild better-sqlite3',
  );
});

it('names no compiler to a version of Node that needs none', () => {
  const newer = { package: 'better-sqlite3-napi', nodeMajor: 24, cause: missing };
  expect(describeUnloadable(newer)).toMatch(/better-sqlite3-napi, which Node 24 needs, .*with this version of Node$/);
});

import { availableParallelism, totalmem } from 'node:os';

/** What a worker and the programs that its suite starts may need. */
const WORKER_BYTES = 2 * 1024 ** 3;

// Tests run over the sources: the "@contextloom/source" export condition resolves every workspace package to its
// TypeScript, so no build stands between an edit and its test.
export const base = {
  rootDir: '../..',
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@contextloom/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/(shared|services)/[^/]+/(build|dist)/'],
  reporters: ['default', '<rootDir>/shared/tooling/plain-summary-reporter.mjs'],
  setupFiles: ['<rootDir>/shared/tooling/jest-property-seed.mjs'],
  globalSetup: '<rootDir>/shared/tooling/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/shared/tooling/jest-global-teardown.mjs',
  testSequencer: '<rootDir>/shared/tooling/longest-first.mjs',
  // For what hangs: nothing is to fail since the machine is busy.
  testTimeout: 240_000,
  // Suites wait half of their time, for deadlines and for the programs that they start: four workers keep two cores busy, where
  // there is memory for them.
  maxWorkers: Math.max(1, Math.min(availableParallelism() * 2, Math.floor(totalmem() / WORKER_BYTES))),
  // Modules of a suite stay in memory after it; a worker that has gathered so much is replaced.
  workerIdleMemoryLimit: '1500MB',
};

/** Suites whose file names end in this, before `.ts` or `.mjs`. */
export const suitesNamed = (suffix) => [`<rootDir>/(shared|services)/*/test/**/*.${suffix}.{ts,mjs}`];

/** What `npm test` runs: every rule and every tool. */
export const inMemory = {
  ...base,
  testMatch: suitesNamed('test'),
  setupFiles: [...base.setupFiles, '<rootDir>/shared/tooling/jest-no-built-programs.mjs'],
};

/** The same suites, each with modules of its own: slower, and how editors run one. */
export default inMemory;

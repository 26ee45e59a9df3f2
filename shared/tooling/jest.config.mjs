// Tests run over the sources: the "@contextloom/source" export condition resolves every workspace package to its
// TypeScript, so no build stands between an edit and its test. Only what runs outside of jest uses dist, which
// `npm test` brings up to date first: servers that are started as child processes, and threads that read a store.
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
  modulePathIgnorePatterns: ['<rootDir>/(shared|services)/[^/]+/dist/'],
  reporters: ['default', '<rootDir>/shared/tooling/plain-summary-reporter.mjs'],
  globalSetup: '<rootDir>/shared/tooling/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/shared/tooling/jest-global-teardown.mjs',
  // For what hangs: nothing is to fail since the machine is busy.
  testTimeout: 240_000,
};

export default {
  ...base,
  // One worker a core: left alone jest keeps one core for itself, and on two cores runs everything in a row.
  maxWorkers: '100%',
  // Modules of a suite stay in memory after it; a worker that has gathered so much is replaced.
  workerIdleMemoryLimit: '1500MB',
  testMatch: ['<rootDir>/(shared|services)/*/test/**/*.test.{ts,mjs}'],
};

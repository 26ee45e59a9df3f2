import { base, suitesNamed } from './jest.config.mjs';

// Kill and fault tests, and properties over many runs, with a small number of rounds: `jest.faults-long.config.mjs` has that
// of a release. None of them asserts time, so that several may run at once: what is killed under load is killed at more places.
export default {
  ...base,
  testMatch: suitesNamed('faults'),
  testTimeout: 600_000,
};

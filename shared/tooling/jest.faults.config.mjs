import { base, suitesNamed } from './jest.config.mjs';

// Kill and fault tests, and properties over many runs, with the number of rounds that a release needs. None of them asserts
// time, so that two may run at once: whoever is killed under load is killed at more places.
export default {
  ...base,
  testMatch: suitesNamed('faults'),
  testTimeout: 1_800_000,
};

import { base } from './jest.config.mjs';

// The same kill and fault tests as `npm test`, with the number of rounds that a release needs. One worker: the rounds
// kill processes under load, and two such tests at once would measure each other.
export default {
  ...base,
  testMatch: ['<rootDir>/(shared|services)/*/test/**/*.faults.ts'],
  testTimeout: 1_800_000,
  maxWorkers: 1,
};

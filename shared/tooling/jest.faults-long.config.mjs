import process from 'node:process';
import faults from './jest.faults.config.mjs';

// The rounds that a release needs: see `rounds.ts`. Workers inherit the environment.
process.env.FAULTS = 'long';

export default { ...faults, testTimeout: 1_800_000 };

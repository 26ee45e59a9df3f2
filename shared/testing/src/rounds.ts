import process from 'node:process';

const isLong = process.env['FAULTS'] === 'long';

/**
 * How many rounds a fault test makes, or how much it works with. `short` is enough to see the fault that the test is about,
 * and is what continuous integration runs; `long` is what a release is tried with: `npm run test:faults:long`, which sets
 * `FAULTS=long`.
 */
export const toRounds = <T>(short: T, long: T): T => (isLong ? long : short);

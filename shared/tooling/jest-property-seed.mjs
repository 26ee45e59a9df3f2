import process from 'node:process';
import fc from 'fast-check';

// In continuous integration the same runs every time, so that a red one is about the change; elsewhere others each time,
// so that more is looked for. A failure prints its seed.
const { CI, PROPERTY_RUNS } = process.env;
fc.configureGlobal({
  ...(CI === 'true' && { seed: 20_260_101 }),
  ...(PROPERTY_RUNS !== undefined && { numRuns: Number(PROPERTY_RUNS) }),
});

import process from 'node:process';
import fc from 'fast-check';

// In continuous integration the same runs every time, so that a red one is about the change; elsewhere others each time,
// so that more is looked for. A failure prints its seed.
if (process.env.CI === 'true') fc.configureGlobal({ seed: 20_260_101 });

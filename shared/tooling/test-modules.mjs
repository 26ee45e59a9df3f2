// Lets plain Node load the test suites and the sources they test, for jest's runner without a module system of its own.
import { register } from 'node:module';
import process from 'node:process';

register('./test-modules-hooks.mjs', import.meta.url);

// A worker whose run has ended, or was killed, does not wait for what a suite left open.
process.on('disconnect', () => process.exit());

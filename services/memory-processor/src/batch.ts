#!/usr/bin/env node
// The older name of `import --yes`, for jobs that were written with it.
import process from 'node:process';

process.stderr.write('batch.js is the older name of import.js import --yes, and takes the same options\n');
process.argv.splice(2, 0, 'import', '--yes');
await import(new URL('./import.js', import.meta.url).href);

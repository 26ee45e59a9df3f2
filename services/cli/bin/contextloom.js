#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);

if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('contextloom: not built yet. Run "npm ci" in the folder of the repository, then try again.\n');
  process.exitCode = 1;
}

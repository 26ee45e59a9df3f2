#!/usr/bin/env node
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';

const main = new URL('../dist/main.js', import.meta.url);

/** Says what hinders every command; undefined if nothing does. */
function findObstacle() {
  if (!existsSync(main)) return 'not built yet. Run "npm ci" in the folder of the repository, then try again.';
  try {
    homedir();
    return undefined;
  } catch {
    // Neither HOME nor the list of users names a folder, and data would have no place.
    return 'this user has no home folder. Set HOME to a folder that the user can write to.';
  }
}

const obstacle = findObstacle();
if (obstacle === undefined) {
  // From Node 22 on, what one start compiles the next one reads. A server may be killed, so this does not wait for its end.
  nodeModule.enableCompileCache?.();
  await import(main.href);
  nodeModule.flushCompileCache?.();
} else {
  process.stderr.write(`contextloom: ${obstacle}\n`);
  process.exitCode = 1;
}

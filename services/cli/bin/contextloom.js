#!/usr/bin/env node
import { existsSync } from 'node:fs';
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
  await import(main.href);
} else {
  process.stderr.write(`contextloom: ${obstacle}\n`);
  process.exitCode = 1;
}

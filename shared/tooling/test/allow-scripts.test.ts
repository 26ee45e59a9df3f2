import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

// The lock file leaves out where a package comes from, so npm cannot verify its version: it skips the install script of
// "name@version" without a word, and SQLite's binary is never made.
it('allows install scripts by name alone', () => {
  const { allowScripts } = JSON.parse(read('package.json'));
  expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
  expect(Object.keys(allowScripts).filter((name) => name.lastIndexOf('@') > 0)).toEqual([]);
  expect(allowScripts).toMatchObject({ 'better-sqlite3': true });
});

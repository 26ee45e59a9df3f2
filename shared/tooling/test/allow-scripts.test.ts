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

// npm warns of each package that has an install script and is not named.
it('decides about the install script of every package', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const scripted = Object.keys(packages).filter(
    (path) => packages[path].hasInstallScript && path.includes('node_modules/'),
  );
  const names = scripted.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  const { allowScripts } = JSON.parse(read('package.json'));
  expect([...new Set(names)].filter((name) => !(name in allowScripts))).toEqual([]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isDamagedError } from '../../src/database/errors.ts';
import { checkIntegrity, openDatabase } from '../../src/index.ts';
import { makeFolder, removeFolder } from '../temporary-folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = makeFolder();
  file = join(folder, 'notes.sqlite');
  const database = openDatabase({ file, migrations: ['CREATE TABLE notes (text TEXT)'] });
  for (let n = 0; n < 100; n += 1) database.prepare('INSERT INTO notes VALUES (?)').run(`note ${n} `.repeat(50));
  database.close();
});
afterEach(() => removeFolder(folder));

const failureOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the check of a whole file', () => {
  it('finds nothing in a sound one', async () => {
    await expect(checkIntegrity(file)).resolves.toBeUndefined();
  });

  it.each([
    ['a page', 5 * 4_096, 6 * 4_096],
    ['the header', 0, 100],
  ])('finds that %s is damaged', async (_what, from, to) => {
    writeFileSync(file, readFileSync(file).fill(0xff, from, to));
    expect(isDamagedError(await failureOf(checkIntegrity(file)))).toBe(true);
  });

  it('does not take a file that is not there for a damaged one', async () => {
    const failure = await failureOf(checkIntegrity(join(folder, 'other.sqlite')));
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(isDamagedError(failure)).toBe(false);
  });
});

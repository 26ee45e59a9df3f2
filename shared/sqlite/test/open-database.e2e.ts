import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../src/index.ts';
import { withFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const opener = fileURLToPath(new URL('./fixtures/open-and-count.mjs', import.meta.url));

describe('openDatabase', () => {
  it(
    'lets many processes open one new file at once',
    () =>
      withFolder(async (folder) => {
        const file = join(folder, 'new', 'x.sqlite');
        const outputs = await Promise.all(Array.from({ length: 5 }, () => run(process.execPath, [opener, file])));
        expect(outputs.map(({ stdout }) => stdout)).toEqual(outputs.map(() => '[1,2]'));
        const database = openDatabase({ file, migrations: ['', ''] });
        expect(database.prepare('SELECT count(*) FROM openers').pluck().get()).toBe(5);
        database.close();
      }),
    60_000,
  );
});

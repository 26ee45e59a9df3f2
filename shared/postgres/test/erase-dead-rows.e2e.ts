import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { openPool, type Run, rewriteTables } from '../src/index.ts';

const WORDS = 'a lighthouse in Kilwa';

describeWithPostgres('the dead rows of a table', (server) => {
  /** Fills a table, deletes a row, and calls `work` with what runs statements and what says whether the words are in its file. */
  async function withDeleted(work: (run: Run, isLeft: () => Promise<boolean>) => Promise<void>): Promise<void> {
    const url = await createDatabase(server());
    await runSql(
      url,
      'CREATE TABLE notes (id INT PRIMARY KEY, words TEXT)',
      `INSERT INTO notes VALUES (1, '${WORDS}')`,
    );
    await runSql(url, "INSERT INTO notes VALUES (2, 'kept')", 'DELETE FROM notes WHERE id = 1');
    const pool = await openPool({ url, application: 'test', log: silentLog });
    const run: Run = async <Row extends object>(text: string) => (await pool.query(text)).rows as readonly Row[];
    const isLeft = async () => {
      const [file] = await run<{ folder: string; path: string }>(
        "SELECT current_setting('data_directory') AS folder, pg_relation_filepath('notes') AS path",
      );
      await run('CHECKPOINT');
      return (await readFile(join(file?.folder ?? '', file?.path ?? ''))).includes(WORDS);
    };
    try {
      await work(run, isLeft);
    } finally {
      await pool.end();
    }
  }

  it('are gone with their bytes once it is rewritten', () =>
    withDeleted(async (run, isLeft) => {
      expect(await isLeft()).toBe(true);
      expect(await rewriteTables(run, ['notes'])).toEqual([]);
      expect(await isLeft()).toBe(false);
      expect(await run('SELECT words FROM notes')).toEqual([{ words: 'kept' }]);
    }));

  it('of a large one are left to other rows, without a lock that stops others, and that is said', () =>
    withDeleted(async (run) => {
      const statements: string[] = [];
      const noted: Run = (text) => {
        statements.push(text);
        return run(text);
      };
      expect(await rewriteTables(noted, ['notes'], 1)).toEqual([
        {
          what: 'deleted rows in the files of the tables',
          why: expect.stringMatching(/too large.*"vacuum full notes"/),
        },
      ]);
      expect(statements.some((text) => text.includes('FULL'))).toBe(false);
    }));

  it('of a table with partitions count those', async () => {
    const url = await createDatabase(server());
    await runSql(url, 'CREATE TABLE parts (id INT) PARTITION BY RANGE (id)');
    await runSql(
      url,
      'CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)',
      'INSERT INTO parts VALUES (1)',
    );
    const pool = await openPool({ url, application: 'test', log: silentLog });
    const run: Run = async <Row extends object>(text: string) => (await pool.query(text)).rows as readonly Row[];
    expect(await rewriteTables(run, ['parts'], 1)).toHaveLength(1);
    await pool.end();
  });
});

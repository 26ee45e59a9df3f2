import { silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnedDatabase, openOwnedDatabase, type Query } from '../src/index.ts';

const policy = "current_setting('contextloom.noters', true)";
const schema = {
  name: 'notes',
  lock: 9,
  migrations: [
    `CREATE TABLE notes (owner TEXT NOT NULL, text TEXT NOT NULL);
     ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
     ALTER TABLE notes FORCE ROW LEVEL SECURITY;
     CREATE POLICY of_owners ON notes USING (${policy} = '*' OR owner = ${policy});`,
  ],
};
const LOCK = 10;

interface Noted {
  readonly query: Query;
  readonly now: unknown;
}

const open = (url: string): Promise<OwnedDatabase<Noted>> =>
  openOwnedDatabase({
    url,
    application: 'test',
    log: silentLog,
    schema,
    first: "SET LOCAL contextloom.noters = '*'; INSERT INTO notes VALUES ('ann', 'tea'), ('bob', 'rum')",
    role: { schema, name: 'contextloom_notes', newestTable: 'notes' },
    owners: 'contextloom.noters',
    without: 'set NOTES=none',
    last: 'SELECT 7 AS now',
    toSql: ({ query, first }) => ({ query, now: Object(first).now }),
  });

const ALL = 'SELECT owner FROM notes ORDER BY owner';
const seenBy = (database: OwnedDatabase<Noted>, owners: string) =>
  database.read(owners, async ({ query }) => (await query<{ owner: string }>(ALL)).map(({ owner }) => owner));

describeWithPostgres('rows with owners', (server) => {
  beforeAll(() => runSql(server().url, 'CREATE ROLE plain LOGIN'));

  describe.each([['a superuser'], ['plain']])('of %s', (user) => {
    it('are shown to their owners alone, whatever a statement says and whatever an owner is called', async () => {
      const database = await open(await createDatabase(server(), user === 'plain' ? user : undefined));
      expect(database.isOpen).toBe(false);
      expect(await seenBy(database, 'ann')).toEqual(['ann']);
      expect(await seenBy(database, '*')).toEqual(['ann', 'bob']);
      for (const owner of ['', 'eve', "ann' OR true --", "'; RESET ROLE; --", '\\', "\\'"]) {
        expect({ owner, seen: await seenBy(database, owner) }).toEqual({ owner, seen: [] });
      }
      const overwritten = database.write('bob', '', ({ query }) =>
        query<{ owner: string }>("UPDATE notes SET text = '' RETURNING owner"),
      );
      expect(await overwritten).toEqual([{ owner: 'bob' }]);
      // A row may not be given to another owner either.
      await expect(
        database.write('bob', '', ({ query }) => query("UPDATE notes SET owner = 'ann'")),
      ).rejects.toMatchObject({ code: 'unavailable' });
      await database.close();
    });
  });

  it('are left by a transaction with nothing of whose they were: the next on its connection sees none', async () => {
    const database = await open(await createDatabase(server(), 'plain'));
    await seenBy(database, '*');
    expect(await database.run(`SELECT ${policy} AS owners, current_setting('search_path') AS path`)).toEqual([
      { owners: '', path: expect.not.stringContaining('notes') },
    ]);
    expect(await database.run('SELECT owner FROM notes.notes')).toEqual([]);
    await database.close();
  });

  it('are read and not changed in one state, after the last statement of the beginning', async () => {
    const database = await open(await createDatabase(server()));
    expect(await database.read('ann', async ({ now }) => now)).toBe(7);
    await expect(database.read('ann', ({ query }) => query('DELETE FROM notes'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('read-only'),
    });
    expect(await seenBy(database, '*')).toEqual(['ann', 'bob']);
    await database.close();
  });

  it('are worked on by one process at a time; another is told, or waits, and closing lets it go', async () => {
    const url = await createDatabase(server());
    const [one, other] = [await open(url), await open(url)];
    await new Promise<void>((started) => {
      const forEver = async () => {
        started();
        return new Promise<never>(() => undefined);
      };
      one.alone(LOCK, false, forEver).catch(() => undefined);
    });
    expect(await other.alone(LOCK, false, async () => 'done')).toBeUndefined();
    const waiting = other.alone(LOCK, true, async () => 'done');
    await one.close();
    expect(await waiting).toBe('done');
    await expect(seenBy(one, 'ann')).rejects.toMatchObject({ code: 'unavailable', message: 'the store is closed' });
    await other.close();
  });

  it('say what to do without them to a user who may not make their schema', async () => {
    const url = new URL(await createDatabase(server()));
    url.username = 'plain';
    await expect(open(url.href)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/schema notes: grant it CREATE .*; or set NOTES=none/),
    });
  });
});

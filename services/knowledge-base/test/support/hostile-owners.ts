import { hostileOwners } from '@contextloom/testing/hostile/owners';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { DocumentDatabase } from '../../src/store/postgres/database.ts';
import { openPostgresStoreAt } from './postgres-store.ts';
import { toDocument, toWrites } from './stores.ts';

const VICTIMS = ['ann', 'bob'];
/** Statements that forget their user, each by another way to the rows. */
const forgetful = [
  'SELECT owner FROM documents',
  'SELECT min(owner) AS owner FROM documents GROUP BY doc',
  'SELECT d.owner FROM documents d WHERE d.doc IN (SELECT doc FROM documents)',
  'WITH every AS MATERIALIZED (SELECT * FROM documents) SELECT owner FROM every',
  "SELECT owner FROM documents WHERE owner = ANY (ARRAY['\"ann\"', '\"bob\"', '']) OR true",
  'SELECT d.owner FROM (VALUES (1)) AS one (at) LEFT JOIN LATERAL (SELECT owner FROM documents) d ON true WHERE d.owner IS NOT NULL',
  'SELECT (SELECT d.owner FROM documents d WHERE d.doc = n.doc) AS owner FROM next n',
];
/** Stores a document of each victim, and one of nobody. */
export async function fillForAttacks(url: string): Promise<void> {
  const store = await openPostgresStoreAt(url);
  const owned = VICTIMS.map((name) => toDocument(name, `of ${name}`, { metadata: { user_id: name } }));
  const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
  await store.put(await toWrites(...owned, toDocument('nobody')), times);
  await store.close();
}

/** Asks by statements that forget their user, as callers of any name: each sees its own rows, and no others. */
export async function attackOwners(database: DocumentDatabase, attempts: number): Promise<void> {
  const seenBy = (text: string, ...owners: string[]) =>
    database.read({ kind: 'owners', owners }, async ({ query }) =>
      (await query<{ owner: string }>(text)).map(({ owner }) => owner).sort(),
    );
  for (const text of forgetful) expect({ text, seen: await seenBy(text) }).toEqual({ text, seen: [] });
  expect(await seenBy('SELECT owner FROM documents', 'null', '"ann"')).toEqual(['"ann"', 'null']);
  await fc.assert(
    fc.asyncProperty(hostileOwners(VICTIMS), fc.constantFrom(...forgetful), async (name, text) => {
      const isOwn = VICTIMS.includes(name) && !text.includes('FROM next');
      expect(await seenBy(text, JSON.stringify(name))).toEqual(isOwn ? [JSON.stringify(name)] : []);
    }),
    { numRuns: attempts },
  );
}

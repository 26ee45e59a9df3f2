import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, expect, it } from '@jest/globals';
import { createProjectMemoryServer } from '../src/build-server.ts';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import { createSqliteEngine, openSound } from '../src/store/sqlite/engine.ts';
import type { SqliteDatabase } from '../src/store/sqlite/sqlite-database.ts';
import { createMemory, openStore as openStoreOf } from './support/memory.ts';

const ANN = 'ann-7f3a91';
/** Stand in everything of Ann's, and nowhere else. */
const SECRETS = [ANN, 'Zanzibar', '桑给巴尔的老茶馆'];

interface Opened {
  readonly database: SqliteDatabase;
  readonly data: string;
}
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openFolder(): Promise<Opened> {
  const data = await mkdtemp(join(tmpdir(), 'project-memory-forget-'));
  closing.push(() => rm(data, { recursive: true, force: true }));
  const database = openSound(data);
  closing.push(() => database.close());
  return { database, data };
}

const openStore = ({ database }: Opened) => openStoreOf({ toEngine: () => createSqliteEngine(database) });

const toText = (place: string, at: number): string =>
  `Walk ${at} through ${place}: ${Array.from({ length: 40 }, (_, step) => `step ${step * 7919 + at}`).join(', ')}`;

async function add(memory: ProjectMemory, place: string, at: number): Promise<string> {
  const request = { project_name: `walks in ${place}`, content_type: 'insight', content: toText(place, at) } as const;
  return (await memory.ingest(request)).id;
}

/** Memories with versions, links and one that was deleted. */
async function fill(memory: ProjectMemory, place: string): Promise<void> {
  const ids: string[] = [];
  for (let at = 0; at < 40; at += 1) ids.push(await add(memory, place, at));
  const [first = '', second = '', third = ''] = ids;
  const replacement = { content: `${place} was closed`, replaces: first };
  await memory.ingest({ project_name: `walks in ${place}`, content_type: 'insight', ...replacement });
  await memory.link({ fromId: first, toId: second, relation: 'explains' });
  await memory.remove(third);
}

async function openBoth(opened: Opened) {
  const { data } = opened;
  const store = await openStore(opened);
  const { memory: ann } = createMemory(store, { ownerId: ANN });
  const { memory: bob } = createMemory(store, { ownerId: 'bob' });
  await fill(ann, 'Zanzibar, 桑给巴尔的老茶馆');
  await fill(bob, 'Bergen');
  await fill(ann, 'Zanzibar, 桑给巴尔的老茶馆, again');
  return { data, ann, bob };
}

async function forget(memory: ProjectMemory, user_id: string, dry_run: boolean) {
  const options = { ownerId: ANN, version: '0', log: silentLog, open: async () => memory };
  const client = await connectInMemory(createProjectMemoryServer(options));
  const { structured, isError, text } = await client.callTool('forget_user', { user_id, dry_run });
  await client.close();
  expect({ isError, text }).toMatchObject({ isError: false });
  return structured as { total: number; unreached: readonly { readonly what: string }[] };
}

const searchesOf = (memory: ProjectMemory) =>
  Promise.all(
    ['walk through Bergen', 'step 7919', 'closed'].map((query) =>
      memory.search({ project_name: 'walks in Bergen', query, scope: 'all', limit: 20 }),
    ),
  );

it('an owner who is forgotten leaves no byte in the folder, while others write', async () => {
  const { data, ann, bob } = await openBoth(await openFolder());
  const before = await searchesOf(bob);
  expect(new Set(findBytes(data, SECRETS).map(({ text }) => text))).toEqual(new Set(SECRETS));
  const planned = await forget(ann, ANN, true);
  expect(planned.total).toBeGreaterThan(160);
  let isDone = false;
  let written = 0;
  const writing = (async () => {
    for (; !isDone; written += 1) await add(bob, 'the harbour', written);
  })();
  expect(await forget(ann, ANN, false)).toMatchObject({ total: planned.total, unreached: [] });
  isDone = true;
  await writing;
  expect(written).toBeGreaterThan(0);
  expect(findBytes(data, SECRETS)).toEqual([]);
  expect(await searchesOf(bob)).toEqual(before);
  expect(await forget(ann, ANN, false)).toMatchObject({ total: 0, unreached: [] });
  expect((await bob.counts()).projects).toBe(2);
}, 120_000);

it('rows that went some other way leave nothing either', async () => {
  const opened = await openFolder();
  const { memory } = createMemory(await openStore(opened), { ownerId: ANN });
  await fill(memory, 'Zanzibar, 桑给巴尔的老茶馆');
  opened.database.connection.exec('delete from projects');
  expect(await forget(memory, ANN, false)).toMatchObject({ total: 0, unreached: [] });
  expect(findBytes(opened.data, SECRETS)).toEqual([]);
}, 120_000);

it('erases nothing for a user who is not the owner, and says whose the memories are', async () => {
  const opened = await openFolder();
  const { memory } = createMemory(await openStore(opened), { ownerId: ANN });
  expect(await forget(memory, 'cleo', false)).toMatchObject({ total: 0, unreached: [] });
  await add(memory, 'Zanzibar', 1);
  const { total, unreached } = await forget(memory, 'cleo', false);
  expect({ total, whats: unreached.map(({ what }) => what) }).toEqual({ total: 0, whats: ['memories of projects'] });
  expect((await memory.counts()).projects).toBe(1);
}, 120_000);

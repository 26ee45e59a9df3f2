import { rm } from 'node:fs/promises';
import { afterEach } from '@jest/globals';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { migrateFile, type Running, start } from './children.ts';
import type { ChromaServer } from './chroma-server.ts';
import { makeFolder } from './service.ts';
import { embedder, everyone, toDocument, toWrites } from './stores.ts';

/** Documents that {@link fill} puts into a store, and a rich one. */
export const COUNT = 900;
const times = { at: '2024-01-01T00:00:00.000Z', keepOwners: false };
const rich = toDocument('富/#1', "O'Hara\n\u0000 said: 小明住在上海 👋", {
  tags: ['标签', '"q"'],
  metadata: { 'a.b': { deep: [1, null, '茶'] }, none: null, n: 0.1 + 0.2, s: '5', "it's": true, user_id: 'ann' },
});

const folders: string[] = [];
/** Makes a folder that is removed after the test. */
export const openFolder = async (): Promise<string> => {
  const folder = await makeFolder();
  folders.push(folder);
  return folder;
};
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});
const openFile = (folder: string) =>
  openSqliteStore({ file: `${folder}/knowledge-base.sqlite`, embedder: embedder.identity });

/** Fills the embedded store of a folder. */
export async function fill(folder: string): Promise<void> {
  const store = await openFile(folder);
  const documents = Array.from({ length: COUNT }, (_, at) => toDocument(`d-${at}`, `number ${at} 第${at}号`));
  await store.put(await toWrites(...documents, rich), times);
  await store.put(await toWrites(rich), times);
  await store.close();
}

/** All documents of the embedded store of a folder. */
export async function listFile(folder: string) {
  const store = await openFile(folder);
  const { documents } = await store.list(everyone, { limit: 10_000 });
  await store.close();
  return documents;
}

/** Starts the command between the embedded store of a folder and a collection. */
export const runMigrate = (
  to: 'chroma' | 'embedded',
  folder: string,
  collection: string,
  { url }: Pick<ChromaServer, 'url'>,
): Running => start(migrateFile, ['--to', to], { KB_DATA_DIR: folder, CHROMA_URL: url, CHROMA_COLLECTION: collection });

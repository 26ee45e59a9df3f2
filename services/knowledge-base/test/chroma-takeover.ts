import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { ChromaClient } from 'chromadb';
import { INDEX_VERSION } from '../src/domain/search/tuning.ts';
import type { DocumentStore } from '../src/domain/store.ts';
import { toFingerprintText } from '../src/store/fingerprint.ts';
import type { ChromaServer } from './support/chroma-server.ts';
import { embedder, everyone } from './support/stores.ts';

/** Documents of {@link fillEarlier}, more than one batch. */
export const COUNT = 230;
const AT = '2024-03-01T00:00:00.000Z';
const LATER = '2024-04-01T00:00:00.000Z';

const contentOf = (at: number): string => `Number ${at}\n第${at}号 ${at === 7 ? 'by the harbour' : ''}`;

/** A document of the earlier form, as its tests read it back. */
export const toEarlierDocument = (at: number) => ({
  id: `d#${at}`,
  content: contentOf(at),
  tags: at % 2 === 0 ? ['memory', '茶'] : [],
  metadata: { user_id: at % 2 === 0 ? 'ann' : 'bob', importance: at / 2, deep: { list: [at, null] } },
  ...(at === 3 && { keys: ['a further text'] }),
  version: 1 + (at % 3),
  created_at: AT,
  updated_at: LATER,
});

async function toEarlierRows(
  changes: readonly { readonly at: number; readonly slot: number; readonly notes: object }[],
) {
  const embeddings = (await embedder.embed(changes.map(({ at }) => contentOf(at)))).map((vector) => [...vector]);
  return {
    ids: changes.map(({ at, slot }) => `${toEarlierDocument(at).id}#${slot}`),
    documents: changes.map(({ at }) => ` number ${at} \n 第 号 \n${contentOf(at)}`),
    metadatas: changes.map(({ at, notes }) => {
      const { id: _id, content: _content, metadata, ...head } = toEarlierDocument(at);
      const owner = JSON.stringify(metadata.user_id);
      const rest = { owner, importance: metadata.importance, time: Date.parse(AT), exact: {}, size: 1, replaces: null };
      return {
        'str:user_id': metadata.user_id,
        'doc:owner': owner,
        'doc:batch': `p.${at}`,
        'doc:head': JSON.stringify({ ...head, metadata, ...rest }),
        ...notes,
      };
    }),
    embeddings,
  };
}

/** Fills a store as the version before this one did, with a dead row, one that was never shown, and one without a vector. */
export async function fillEarlier({ url }: Pick<ChromaServer, 'url'>, name: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const client = new ChromaClient({ host: hostname, port: Number(port) });
  const filling = toFingerprintText({ embedder: embedder.identity, indexVersion: INDEX_VERSION });
  const generation = `${name}-${randomUUID()}`;
  const own = { embeddingFunction: null, configuration: { hnsw: { space: 'cosine' as const } } };
  const rows = await client.createCollection({ name: generation, metadata: { filling }, ...own });
  const live = Array.from({ length: COUNT }, (_, at) => ({ at, slot: at % 4, notes: {} }));
  const waiting = { 'doc:waiting': true };
  await rows.add(await toEarlierRows(live.map((row) => (row.at === 5 ? { ...row, notes: waiting } : row))));
  await rows.add(
    await toEarlierRows([
      { at: 0, slot: 3, notes: { 'doc:owner': '', 'doc:dead': true } },
      { at: COUNT, slot: 0, notes: { 'doc:owner': '' } },
    ]),
  );
  await client.createCollection({ name, metadata: { current: generation, closing: '' }, ...own });
}

/** Holds a store against what the earlier version had in it, and the server against its leftovers. */
export async function expectTakenOver(store: DocumentStore, { url }: Pick<ChromaServer, 'url'>, name: string) {
  const { documents } = await store.list(everyone, { limit: 1_000 });
  const sorted = documents.toSorted((a, b) => Number(a.id.slice(2)) - Number(b.id.slice(2)));
  expect(sorted).toEqual(Array.from({ length: COUNT }, (_, at) => toEarlierDocument(at)));
  expect(await store.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT - 1 });
  const { hostname, port } = new URL(url);
  const client = new ChromaClient({ host: hostname, port: Number(port) });
  const names = (await client.listCollections({ limit: 10_000 })).map((collection) => collection.name);
  const own = names.filter((one) => one.startsWith(name) && !one.startsWith(`${name}-writer-`));
  expect(own).toEqual([name]);
  const found = await client.getCollection({ name });
  const { ids, documents: texts } = await found.get({ where: { $and: [{ user_id: 'bob' }, { importance: 3.5 }] } });
  expect([ids, texts]).toEqual([['d#7'], [contentOf(7)]]);
  expect(await found.count()).toBe(COUNT);
}

/** A line to a server that breaks for ever at the n-th request that changes something. */
export interface BreakingLine {
  readonly url: string;
  /** Whether it has broken. */
  readonly isBroken: () => boolean;
  readonly close: () => Promise<void>;
}

const reading = /\/(get|count|version|pre-flight-checks)$/;

/** Opens a line that breaks before its n-th change reaches the server, or after, before the answer comes back. */
export async function openBreakingLine(
  target: string,
  { nth, side }: { readonly nth: number; readonly side: 'before' | 'after' },
): Promise<BreakingLine> {
  let changes = 0;
  let isBroken = false;
  const server = createServer((request, response) => {
    const isChange = request.method !== 'GET' && !reading.test(request.url ?? '');
    if (isChange) changes += 1;
    const breaks = isChange && changes === nth;
    if (isBroken || (breaks && side === 'before')) {
      isBroken = true;
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? '/', target);
    const headers = { ...request.headers, host: url.host };
    const onward = startRequest(url, { method: request.method, headers }, (answer) => {
      if (breaks) {
        isBroken = true;
        answer.resume().once('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, isBroken: () => isBroken, close };
}

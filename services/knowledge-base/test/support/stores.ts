import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document, JsonObject } from '@contextloom/contracts';
import { createLexicalEmbedder } from '@contextloom/llm';
import { always } from '@contextloom/retrieval/filter';
import { toOwner } from '../../src/domain/documents/isolation.ts';
import { toIndexes, toWrite } from '../../src/domain/indexing/indexing.ts';
import type {
  DocumentIndex,
  DocumentStore,
  DocumentWrite,
  Hit,
  KeyedDocument,
  Selection,
} from '../../src/domain/store.ts';

/** The embedder that tests fill stores with. */
export const embedder = createLexicalEmbedder();

/** Settings of an embedded store that answers even the smallest call in a thread, from what that caches. */
export const readAllInThreads = {
  threads: 2,
  threadsFromRows: 0,
  cacheBytes: 2 ** 24,
} as const;

/** A store under test, and how to be rid of it. */
export interface TemporaryStore {
  readonly store: DocumentStore;
  readonly remove: () => Promise<void>;
}

/** Opens a store on a file in a folder of its own. */
export async function openTemporaryStore(open: (file: string) => Promise<DocumentStore>): Promise<TemporaryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-store-'));
  const store = await open(join(folder, 'kb.sqlite'));
  const remove = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { store, remove };
}

/** A document for a test. */
export const toDocument = (
  id: string,
  content = id,
  rest: { tags?: string[]; metadata?: JsonObject } = {},
): Document => ({
  id,
  content,
  tags: [],
  metadata: {},
  ...rest,
});

/** The ids of what was found, in its order. */
export const hitIds = (found: readonly Hit[]): readonly string[] => found.map(({ candidate }) => candidate.id);

/** Derives the indexes of documents as the knowledge base does. */
export const derive = (documents: readonly KeyedDocument[]): Promise<readonly DocumentIndex[]> =>
  toIndexes(documents, embedder);

/** Documents as the knowledge base hands them to a store. */
export async function toWrites(...documents: readonly KeyedDocument[]): Promise<readonly DocumentWrite[]> {
  const indexes = await derive(documents);
  return documents.map((document, at) => {
    const vector = indexes[at]?.vector;
    return { ...toWrite(document, toOwner(document.metadata, 'off')), ...(vector !== undefined && { vector }) };
  });
}

/** The same with the vectors of another embedder. */
export async function toWritesBy(
  { embed }: Pick<typeof embedder, 'embed'>,
  ...documents: readonly Document[]
): Promise<readonly DocumentWrite[]> {
  const vectors = await embed(documents.map(({ content }) => content));
  return (await toWrites(...documents)).map((write, at) => ({ ...write, vector: vectors[at] ?? new Float32Array() }));
}

/** All documents of a store. */
export const everyone: Selection = { visible: { kind: 'everyone' }, condition: always };

/** The documents that a call may see which names these users. */
export const seenBy = (...users: readonly string[]): Selection => ({
  visible: { kind: 'owners', owners: ['null', ...users.map((user) => JSON.stringify(user))] },
  condition: always,
});

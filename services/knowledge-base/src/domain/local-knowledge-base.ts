import {
  type ChangedDocument,
  ContextloomError,
  DERIVED_FROM_KEY,
  type DeleteOptions,
  type DocumentInput,
  type DocumentPatch,
  isContextloomError,
  type ListRequest,
} from '@contextloom/contracts';
import { always } from '@contextloom/retrieval/filter';
import { createArchive } from './archive.ts';
import { applyPatch, toDocuments } from './documents/changes.ts';
import { type Consequences, createConsequences } from './documents/consequences.ts';
import { type Backoff, untilUncontended } from './documents/contention.ts';
import { createForgetExpired, type ToLifetime, withLifetime, withoutExpired } from './documents/expiry.ts';
import { refuseNewOwner, toOwned, toOwner, toSelection, toVisibility } from './documents/isolation.ts';
import { parseCursor, toCursor } from './documents/order.ts';
import { noteCorrection, replaceRead, toMark, withoutMarks } from './documents/retraction.ts';
import { toOwnerText, toScopedFilter, type WithoutFilter } from './documents/scope.ts';
import { toSourceIds, withSourceTrust } from './documents/source-trust.ts';
import { readStats } from './documents/stats.ts';
import { createStoreHealth } from './documents/store-health.ts';
import type { EmbedPassages } from './embedder.ts';
import { toIndexedText, toWrite, toWrites } from './indexing/indexing.ts';
import { rebuildIndex } from './indexing/rebuild-index.ts';
import type { DocumentAddress, Isolation, KnowledgeBase } from './knowledge-base.ts';
import { createSearch, type SearchOptions } from './search/search.ts';
import type { KeyedDocument, RemoveOptions, Selection, StoredRecord } from './store.ts';

/** The parts of a knowledge base in this process. */
export interface KnowledgeBaseOptions extends SearchOptions {
  readonly isolation: Isolation;
  readonly newId: () => string;
  /** How large the files of the store are, in bytes; absent where it has none here. */
  readonly sizeOf?: (() => number) | undefined;
  /** Embeds what is stored, where the store takes documents whose vectors are made later; the embedder itself without it. */
  readonly embedPassages?: EmbedPassages | undefined;
  /** How changes of one document wait for each other. */
  readonly backoff?: Backoff;
  /** After how many milliseconds a document is forgotten that does not say when, where a rule is about it. */
  readonly toLifetime?: ToLifetime | undefined;
}

/** A knowledge base over a store of this process. */
export interface LocalKnowledgeBase extends KnowledgeBase {
  /** Erases documents whose time has passed, and their bytes; answers how many. */
  readonly forgetExpired: () => Promise<number>;
}

/** Builds the knowledge base over a document store of this process. */
export function createKnowledgeBase(given: KnowledgeBaseOptions): LocalKnowledgeBase {
  const store = withoutExpired(given.store, given.clock);
  const options = { ...given, store };
  const search = createSearch(options);
  const consequences = toConsequences(options);
  const find: KnowledgeBase['find'] = async (request, filter = toScopedFilter(request)) => {
    const { tags = [], tags_all: all = [], tags_any: some = [] } = request;
    const condition = withoutMarks(filter.condition, [...tags, ...all, ...some]);
    return search(request, toSelection({ ...filter, condition }, options.isolation));
  };
  return {
    add: (documents) => add(documents, options),
    search: async (request) => (await find(request)).results,
    find,
    list: async (request, filter = toScopedFilter(request)) =>
      list(request, toSelection(filter, options.isolation), options),
    get: async (address) => (await readOne(address, options)).document,
    update: (address, patch) => update(address, patch, options, consequences),
    delete: async (address, { retract = true } = {}) => {
      // What another reading brings back takes nothing with it.
      const followed = retract ? await consequences.beforeRemoval((await readOne(address, options)).document) : [];
      await remove(address, { retract }, options);
      return followed;
    },
    follow: consequences.follow,
    stats: (userId) => readStats(userId, options),
    countWaiting: async () => {
      const { documents, vectors } = await store.stats({ kind: 'everyone' });
      return documents - vectors;
    },
    health: createStoreHealth(options),
    save: () => store.flush(),
    rebuildIndex: () => rebuildIndex(options),
    forget: (userId, isDryRun) => store.forget(toOwnerText(userId), isDryRun),
    ...createArchive(options),
    forgetExpired: openForgetExpired(given),
    close: () => store.close(),
  };
}

/** Goes by the store itself, which shows what has expired. */
function openForgetExpired(options: KnowledgeBaseOptions): LocalKnowledgeBase['forgetExpired'] {
  const { store, clock } = options;
  return createForgetExpired({
    store,
    clock,
    follow: toConsequences(options).beforeRemoval,
    put: (document, at) => putMark(document, at, options),
  });
}

function visibleTo({ userId, isOwn = false }: DocumentAddress, { isolation }: KnowledgeBaseOptions) {
  return isOwn ? toOwned(userId) : toVisibility(isolation, userId === undefined ? [] : [userId]);
}

function now({ clock }: KnowledgeBaseOptions): { at: string } {
  return { at: clock().toISOString() };
}

/** The vectors of texts that are stored, in order; null for those that are made later. */
async function embedStored(
  texts: readonly string[],
  { embedder, embedPassages = embedder.embed }: KnowledgeBaseOptions,
) {
  const vectors = await embedPassages(texts);
  // A vector that the embedder left out is empty, which a store refuses.
  return texts.map((_, at) => (vectors === undefined ? null : (vectors[at] ?? new Float32Array())));
}

/** The documents, and those that take the place of what was read in a conversation as the corrections that they are. */
async function noteCorrections(
  documents: readonly KeyedDocument[],
  inputs: readonly DocumentInput[],
  options: KnowledgeBaseOptions,
): Promise<readonly KeyedDocument[]> {
  const isAsked = (at: number): boolean => inputs[at]?.doc_id !== undefined && inputs[at].retract !== false;
  const ids = documents.filter((_, at) => isAsked(at)).map(({ id }) => id);
  if (ids.length === 0) return documents;
  const records = await options.store.read(ids, { visible: { kind: 'everyone' }, condition: always });
  const known = new Map(records.map(({ document }) => [document.id, document]));
  return documents.map((document, at) => {
    const before = isAsked(at) ? known.get(document.id) : undefined;
    return before === undefined ? document : replaceRead(before, document, now(options).at);
  });
}

/** Documents that were drawn from others, with the trust of these. */
async function addSourceTrust(
  documents: readonly KeyedDocument[],
  { store }: KnowledgeBaseOptions,
): Promise<readonly KeyedDocument[]> {
  const ids = toSourceIds(documents);
  if (ids.length === 0) return documents;
  const records = await store.read(ids, { visible: { kind: 'everyone' }, condition: always });
  return withSourceTrust(
    documents,
    records.map(({ document }) => document),
  );
}

async function add(inputs: readonly DocumentInput[], options: KnowledgeBaseOptions): Promise<readonly string[]> {
  const { store, isolation, newId } = options;
  const dated = toDocuments(inputs, newId).map((document) => withLifetime(document, options));
  const noted = await noteCorrections(dated, inputs, options);
  const documents = await addSourceTrust(noted, options);
  const owned = documents.map((document, at) => {
    const field = documents.length === 1 ? undefined : `documents[${at}].metadata.user_id`;
    return { document, owner: toOwner(document.metadata, isolation, field), mustBeNew: inputs[at]?.if_absent };
  });
  const writes = await toWrites(owned);
  const vectors = await embedStored(
    writes.map(({ document }) => toIndexedText(document)),
    options,
  );
  const outcome = await store.put(
    writes.map((write, at) => ({ ...write, vector: vectors[at] ?? null })),
    {
      ...now(options),
      keepOwners: isolation === 'strict',
      hasNewIds: inputs.every(({ doc_id: givenId }) => givenId === undefined),
    },
  );
  if (outcome.kind === 'stored') return documents.map(({ id }) => id);
  const message =
    outcome.kind === 'exists'
      ? `a document "${outcome.id}" exists, and if_absent is set`
      : `the id "${outcome.id}" is taken by a document of another owner: choose another`;
  throw new ContextloomError('conflict', message, { field: 'doc_id' });
}

const toTime = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

async function list(
  { cursor, limit, sort, since, until }: WithoutFilter<ListRequest>,
  selection: Selection,
  { store }: KnowledgeBaseOptions,
) {
  const range = { from: toTime(since), to: toTime(until) };
  const page = { limit, sort, range, ...(cursor !== undefined && { after: parseCursor(cursor, sort) }) };
  const { documents, total, more } = await store.list(selection, page);
  const last = more ? documents.at(-1) : undefined;
  return { documents: [...documents], total, ...(last !== undefined && { next_cursor: toCursor(last, sort, total) }) };
}

async function readOne(address: DocumentAddress, options: KnowledgeBaseOptions): Promise<StoredRecord> {
  const selection = { visible: visibleTo(address, options), condition: always };
  const [record] = await options.store.read([address.id], selection);
  if (record === undefined) {
    throw new ContextloomError('not_found', `no document "${address.id}" that this call may see`, {
      field: 'id',
    });
  }
  const { version } = record.document;
  if (address.version !== undefined && address.version !== version) {
    throw new ContextloomError('precondition_failed', `the document is at version ${version}, not ${address.version}`, {
      field: 'version',
    });
  }
  return record;
}

/** Reads a document and changes it; starts over whenever another change came first. */
async function change<T extends object | string>(
  address: DocumentAddress,
  options: KnowledgeBaseOptions,
  attempt: (record: StoredRecord) => Promise<T | 'stale'>,
): Promise<T> {
  const outcome = await untilUncontended(async () => attempt(await readOne(address, options)), options.backoff);
  if (outcome !== undefined) return outcome;
  throw new ContextloomError('unavailable', `the document "${address.id}" is being changed by others; try again`);
}

/** Follows changes through the documents of this store. */
function toConsequences(options: KnowledgeBaseOptions): Consequences {
  const { store, clock, backoff } = options;
  return createConsequences({
    store,
    clock,
    backoff,
    replace: async ({ document, revision }, after, at) => {
      const indexed = toIndexedText(after);
      const isSame = indexed === toIndexedText(document);
      const [vector = null] = isSame ? [] : await embedStored([indexed], options);
      const write = { ...toWrite(after, toOwner(after.metadata, 'off')), ...(!isSame && { vector }) };
      return store.replace(revision, write, { at });
    },
    remove: async (id, owner) => {
      const userId: unknown = JSON.parse(owner);
      const address = { id, ...(typeof userId === 'string' && { userId, isOwn: true }) };
      // The mark of its episode keeps later readings from it: one of its own would count as another word of the user's.
      await remove(address, { retract: false, isForgotten: true }, options).catch((error: unknown) => {
        // Somebody else removed it by now.
        if (!isContextloomError(error) || error.code !== 'not_found') throw error;
      });
    },
  });
}

async function update(
  address: DocumentAddress,
  patch: DocumentPatch,
  options: KnowledgeBaseOptions,
  consequences: Consequences,
): Promise<ChangedDocument> {
  const { store, isolation } = options;
  // Another attempt mostly has the same text: the model embeds it once.
  let known: { readonly text: string; readonly vector: Float32Array | null } | undefined;
  const embed = async (text: string): Promise<Float32Array | null> => {
    if (known?.text !== text) known = { text, vector: (await embedStored([text], options))[0] ?? null };
    return known.vector;
  };
  const { before, now: changed } = await change(address, options, async ({ document: before, revision }) => {
    const { at } = now(options);
    const noted = noteCorrection(before, applyPatch(before, patch), { given: patch.metadata ?? {}, at });
    const [after = noted] = Object.hasOwn(patch.metadata ?? {}, DERIVED_FROM_KEY)
      ? await addSourceTrust([noted], options)
      : [];
    refuseNewOwner(before.metadata, after.metadata, isolation);
    const write = toWrite(after, toOwner(after.metadata, 'off'));
    const indexed = toIndexedText(after);
    const vector = indexed === toIndexedText(before) ? undefined : await embed(indexed);
    const replaced = await store.replace(revision, { ...write, ...(vector !== undefined && { vector }) }, { at });
    return replaced === 'stale' ? replaced : { before, now: replaced.document };
  });
  const followed = await consequences.afterChange(before, changed);
  return followed.length === 0 ? changed : { ...changed, consequences: followed };
}

async function remove(
  address: DocumentAddress,
  { retract = true, isForgotten = retract }: DeleteOptions & RemoveOptions = {},
  options: KnowledgeBaseOptions,
): Promise<void> {
  const { store } = options;
  await change(address, options, async ({ document, revision }) => {
    const { at } = now(options);
    const mark = retract ? toMark(document, at) : undefined;
    // Before the document goes: what comes in between finds the mark, and brings nothing back.
    if (mark !== undefined) await putMark(mark, at, options);
    return store.remove(revision, { isForgotten });
  });
}

async function putMark(mark: KeyedDocument, at: string, options: KnowledgeBaseOptions): Promise<void> {
  const [vector = null] = await embedStored([toIndexedText(mark)], options);
  const write = { ...toWrite(mark, toOwner(mark.metadata, 'off')), vector };
  await options.store.put([write], { at, keepOwners: false });
}

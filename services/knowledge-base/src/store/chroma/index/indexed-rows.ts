import { ContextloomError, type StoredDocument } from '@contextloom/contracts';
import { createKeyedQueue } from '@contextloom/runtime/scheduling';
import { z } from 'zod';
import type { DocumentStore } from '../../../domain/store.ts';
import { hasSameVectors, isOfAnotherVersion, type OnMismatch, toMismatchError } from '../../fingerprint.ts';
import type { FoundCollection } from '../connection/client.ts';
import type { Gate } from '../connection/gate.ts';
import type { Catalog, EarlierForm, PlainForm } from '../rows/catalog.ts';
import type { HitRow, Rows } from '../rows/collection.ts';
import { type AdoptOptions, createAdoption, createPlainSource } from '../rows/documents.ts';
import { findLoss } from '../rows/inspect.ts';
import { type RowSource, toRowSource } from '../rows/row-source.ts';
import type { LocalIndex } from './local-index.ts';
import { closeEarlier, publish } from './publish.ts';
import { everything, sync } from './sync.ts';

/*
 * The rows of earlier versions: ids `<document>#<slot>`, a text of tokens and then the content, `doc:owner` '' in rows that are
 * not shown, and `doc:head` with the rest as JSON.
 */
const headSchema = z.object({
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  tags: z.array(z.string()),
  metadata: z.custom<StoredDocument['metadata']>((value) => typeof value === 'object' && value !== null),
  keys: z.array(z.string()).optional(),
});

function toContent(text: string): string {
  return text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1);
}

/** The document of a row in the earlier form; `none` of one that was never shown, or is no more. */
function parseEarlierRow({ id, text = '', notes }: HitRow): StoredDocument | 'none' {
  if (notes['doc:owner'] === '' || notes['doc:dead'] === true) return 'none';
  const { keys, ...known } = headSchema.parse(JSON.parse(String(notes['doc:head'])));
  const document = id.slice(0, id.lastIndexOf('#'));
  return { id: document, content: toContent(text), ...known, ...(keys !== undefined && { keys }) };
}

/** The documents in the rows of an earlier version. */
function createEarlierSource({ rows }: FoundCollection, hasOwnVectors: boolean): RowSource {
  return toRowSource(rows, { parse: parseEarlierRow, waitingKey: 'doc:waiting', hasOwnVectors });
}

/** What rows and their index are opened with. */
export interface IndexedRowsOptions extends Pick<AdoptOptions, 'dimensions' | 'clock' | 'log'> {
  readonly catalog: Catalog;
  readonly openIndex: () => Promise<LocalIndex>;
  readonly gate: Gate;
  readonly hold: () => Promise<void>;
  readonly fingerprint: string;
  readonly onMismatch: OnMismatch;
  /** What errors call the store. */
  readonly store: string;
  readonly newId: () => string;
  /** How long programs of the earlier version rely on what they read of the catalog, in milliseconds. */
  readonly earlierWaitMs?: number | undefined;
  readonly onProgress?: ((progress: string) => void) | undefined;
}

/** The rows in use, and the index that is made of them. */
export interface IndexedRows extends Pick<DocumentStore, 'rebuild' | 'indexState'> {
  readonly local: LocalIndex;
  /** Why nothing but a rebuild is possible; undefined where all is. */
  readonly reason: ContextloomError | undefined;
  documents(): FoundCollection;
  /** Whether the rows have vectors of this program's embedder. */
  hasOwnVectors(): boolean;
  /** Notes by how many the rows have become more. */
  count(change: number): void;
  /** Looks whether another client added or removed rows, and takes that over. */
  look(): Promise<void>;
}

/** A second, and a quarter for clocks that go apart. */
const EARLIER_WAIT_MS = 1_250;

/** Why a store that something else filled is of no use; undefined where it can be used. */
function findMismatch(
  found: string,
  { fingerprint, onMismatch, store }: IndexedRowsOptions,
): ContextloomError | undefined {
  if (hasSameVectors(found, fingerprint)) return undefined;
  if (onMismatch === 'upgrade' && isOfAnotherVersion(found, fingerprint)) return undefined;
  return toMismatchError(store, found, fingerprint);
}

/**
 * Opens the rows and brings the index in line with them; those of an earlier version are rewritten first.
 * @throws ContextloomError `unavailable` when another embedder filled the rows, unless they are opened to be rebuilt
 */
export async function openIndexedRows(options: IndexedRowsOptions): Promise<IndexedRows> {
  const { catalog, openIndex, gate, fingerprint, onMismatch, store, newId, onProgress } = options;
  const { earlierWaitMs = EARLIER_WAIT_MS } = options;
  let form: EarlierForm | PlainForm = await catalog.open(fingerprint);
  const rows = (): Rows => form.documents.rows;
  const lost = await findLoss(form.documents, store);
  const mismatch = findMismatch(form.fingerprint, options);
  if (mismatch !== undefined && onMismatch !== 'rebuild') throw mismatch;
  let hasVectors = lost === undefined && hasSameVectors(form.fingerprint, fingerprint);
  const local = await openIndex();
  const { adopt, withoutText } = createAdoption({ ...options, rows });
  const one = createKeyedQueue();
  let known = 0;

  const countRows = () => gate.alone(async () => (known = await rows().count()));
  const refresh = async (): Promise<void> => {
    const isPlain = form.kind === 'plain';
    const source = isPlain ? createPlainSource(rows(), hasVectors) : createEarlierSource(form.documents, hasVectors);
    await sync({
      source,
      index: local.store,
      gate,
      adopt: isPlain ? adopt : async () => [],
      onProgress: ({ done, rows: all }) => onProgress?.(`reads ${done} of ${all} rows`),
    });
    await countRows();
  };
  /** Writes all rows again, in a collection that takes the place of the one in use. */
  const publishAll = (signal?: AbortSignal): Promise<boolean> =>
    one('publish', async () => {
      const { kind } = form;
      const beforeLast = async (): Promise<void> => {
        if (form.kind === 'earlier') await closeEarlier(form, { id: newId(), waitMs: earlierWaitMs });
        await refresh(); // With what was written meanwhile, by other clients too.
      };
      const next = await publish({ ...options, index: local.store, replaced: form, beforeLast, signal });
      if (next === undefined) return false;
      [form, hasVectors] = [next, true];
      if (kind === 'plain') local.removeOthers();
      await countRows();
      return true;
    });
  const isWhole = async (): Promise<boolean> => {
    const { documents, vectors } = await local.store.stats(everything.visible);
    return documents === vectors && (await local.store.indexState()) === 'own';
  };

  await refresh();
  const reason = lost ?? mismatch;
  if (reason === undefined && form.kind === 'earlier') {
    options.log.info(
      {},
      'an earlier version wrote the rows: writing them again, so that every client of Chroma can read them',
    );
    await publishAll();
  }
  return {
    local,
    reason,
    documents: () => form.documents,
    hasOwnVectors: () => hasVectors,
    count: (change) => {
      known += change;
    },
    look: async () => {
      if ((await rows().count()) === known) return;
      if (!(await gate.alone(async () => (await rows().count()) === known))) await refresh();
    },
    rebuild: async (derive, how = {}) => {
      if (form.kind === 'plain') await refresh();
      refuseWithoutText(withoutText());
      const isMade = how.resume === true && !hasVectors && (await isWhole());
      const report = isMade
        ? { kind: 'complete' as const, documents: (await local.store.stats(everything.visible)).documents }
        : await local.store.rebuild(derive, how);
      if (report.kind === 'interrupted' || (await publishAll(how.signal))) return report;
      return { ...report, kind: 'interrupted' };
    },
    indexState: async () => {
      const state = await local.store.indexState();
      if (hasVectors || state === 'unfinished') return state;
      const { documents } = await local.store.stats(everything.visible);
      return documents > 0 && (await isWhole()) ? 'unfinished' : 'useless';
    },
  };
}

/** @throws ContextloomError `conflict` where rows would be lost that are no documents */
function refuseWithoutText(count: number): void {
  if (count === 0) return;
  const message = `${count} rows that another client of Chroma added have no text and would be lost: remove them from the collection first`;
  throw new ContextloomError('conflict', message);
}

import { ContextloomError, isContextloomError, type StoredDocument } from '@contextloom/contracts';
import type { KeyedQueue } from '@contextloom/runtime/scheduling';
import { toOwner } from '../../../domain/documents/isolation.ts';
import type { DocumentStore, DocumentWrite, StoredRecord } from '../../../domain/store.ts';
import { toRefusal } from '../../refusal.ts';
import type { Gate } from '../connection/gate.ts';
import { everything } from '../index/sync.ts';
import type { Rows } from '../rows/collection.ts';
import { isWaiting, toRow } from '../rows/rows.ts';

/*
 * Every write goes to the server first, in one request, and then to the index: what the server has is the truth, and an index that
 * a failure left behind is brought in line when the store is opened again.
 */

/** What the writing half works with. */
export interface WriterOptions {
  /** The rows in use now. */
  readonly rows: () => Rows;
  readonly index: DocumentStore;
  readonly gate: Gate;
  /** Writes of one document wait for each other. */
  readonly queue: KeyedQueue;
  readonly dimensions: number;
  /** Makes sure that this process is the writer. */
  readonly hold: () => Promise<void>;
  /** Gets by how many the rows have become more. */
  readonly onCount: (change: number) => void;
}

/**
 * A vector that the store can take; null while a document waits for it.
 * @throws ContextloomError `internal`
 */
function checkVector({ vector, document }: DocumentWrite, dimensions: number): Float32Array | null {
  if (vector === null) return null;
  const isUsable = vector?.every(Number.isFinite) ?? true;
  if (vector?.length === dimensions && isUsable) return vector;
  const hit = isUsable ? `${vector?.length ?? 0} dimensions instead of ${dimensions}` : 'a value that is not finite';
  throw new ContextloomError('internal', `a vector of the document "${document.id}" has ${hit}`);
}

const UNKNOWN = 'this process lost the right to write while it wrote; whether the change took effect is not known';

/** Runs writes: each as the writer, from its first request to its acknowledgement. */
export function createRun({ gate, queue, hold }: Pick<WriterOptions, 'gate' | 'queue' | 'hold'>) {
  return <T>(ids: readonly string[], work: () => Promise<T>): Promise<T> =>
    queue(ids, () =>
      gate.share(async () => {
        await hold();
        const outcome = await work();
        await hold().catch((cause: unknown) => {
          throw new ContextloomError('unavailable', UNKNOWN, { cause });
        });
        return outcome;
      }),
    );
}

/** The name of a document's state: that of the index, and the document, which a removal has to know. */
const toRevision = ({ revision, document }: StoredRecord): string => `${revision}@${document.id}`;
const withRevision = (record: StoredRecord): StoredRecord => ({ ...record, revision: toRevision(record) });

function parseRevision(revision: string): { readonly own: string; readonly id: string } {
  const at = revision.indexOf('@');
  return at < 0 ? { own: '', id: '' } : { own: revision.slice(0, at), id: revision.slice(at + 1) };
}

const toHolder = (document: StoredDocument | undefined) => document && { owner: toOwner(document.metadata, 'off') };

/** Runs the part of a write that follows the server's. */
export async function follow<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // The rows have it already: the store is opened again, which reads it from there.
    const message = isContextloomError(cause) ? cause.message : 'the index could not be written';
    throw new ContextloomError('unavailable', `${message}; whether the change took effect is not known`, { cause });
  }
}

/** The writing half of the store, and what reads a document to be changed. */
export function createWriter(
  options: WriterOptions,
): Pick<DocumentStore, 'put' | 'restore' | 'replace' | 'remove' | 'read'> {
  const { rows, index, dimensions, onCount } = options;
  const run = createRun(options);
  const readKnown = async (ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> => {
    const records = await index.read(ids, everything);
    return new Map(records.map(({ document }) => [document.id, document]));
  };
  const upsert = async (
    writes: readonly { readonly document: StoredDocument; readonly vector: Float32Array | null }[],
    known: ReadonlyMap<string, StoredDocument>,
  ): Promise<void> => {
    await rows().upsert(
      writes.map(({ document, vector }) => toRow(document, vector, { dimensions, before: known.get(document.id) })),
    );
    onCount(new Set(writes.map(({ document }) => document.id).filter((id) => !known.has(id))).size);
  };
  const readVector = async (id: string): Promise<Float32Array | null> => {
    const [row] = await rows().get([id], ['metadatas', 'embeddings']);
    return row === undefined || isWaiting(row) ? null : row.vector;
  };

  const put: DocumentStore['put'] = async (writes, how) => {
    const { at, keepOwners, hasNewIds = false } = how;
    const vectors = writes.map((write) => checkVector(write, dimensions));
    const ids = writes.map(({ document }) => document.id);
    return run(hasNewIds ? [] : ids, async () => {
      const known = hasNewIds ? new Map<string, StoredDocument>() : await readKnown(ids);
      const refusals = writes.map((write) => toRefusal(write, toHolder(known.get(write.document.id)), keepOwners));
      const refusal = refusals.find((one) => one !== undefined);
      if (refusal !== undefined) return refusal;
      const stored = writes.map(({ document }, position) => {
        const before = known.get(document.id);
        const history = { version: (before?.version ?? 0) + 1, created_at: before?.created_at ?? at, updated_at: at };
        return { document: { ...document, ...history }, vector: vectors[position] ?? null };
      });
      await upsert(stored, known);
      return follow(() => index.put(writes, { ...how, keepOwners: false }));
    });
  };

  const restore: DocumentStore['restore'] = async (writes) => {
    const ids = writes.map(({ document }) => document.id);
    const checked = writes.map((write) => ({ document: write.document, vector: checkVector(write, dimensions) }));
    return run(ids, async () => {
      await upsert(checked, await readKnown(ids));
      await follow(() => index.restore(writes));
    });
  };

  const replace: DocumentStore['replace'] = async (revision, write, { at }) => {
    const { id } = write.document;
    const given = write.vector === undefined ? undefined : checkVector(write, dimensions);
    return run([id], async () => {
      const [record] = await index.read([id], everything);
      if (record === undefined || toRevision(record) !== revision) return 'stale';
      const before = record.document;
      const history = { version: before.version + 1, created_at: before.created_at, updated_at: at };
      const vector = given === undefined ? await readVector(id) : given;
      await upsert([{ document: { ...write.document, ...history }, vector }], new Map([[id, before]]));
      const replaced = await follow(() => index.replace(record.revision, write, { at }));
      if (replaced === 'stale') throw new ContextloomError('unavailable', UNKNOWN);
      return withRevision(replaced);
    });
  };

  const remove: DocumentStore['remove'] = (revision) => {
    const { own, id } = parseRevision(revision);
    if (id === '') return Promise.resolve('stale');
    return run([id], async () => {
      const [record] = await index.read([id], everything);
      if (record?.revision !== own) return 'stale';
      await rows().remove([id]);
      onCount(-1);
      return follow(() => index.remove(own));
    });
  };

  return {
    put,
    restore,
    replace,
    remove,
    read: async (ids, selection) => (await index.read(ids, selection)).map(withRevision),
  };
}

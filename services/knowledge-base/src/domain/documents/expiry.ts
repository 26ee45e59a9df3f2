import { ContextloomError, EXPIRY_KEY, type JsonObject, RETRACTION_TAG } from '@contextloom/contracts';
import { allOf, parseTimestamp, type RowCondition } from '@contextloom/retrieval/filter';
import type { DocumentStore, KeyedDocument, Selection, StoredRecord } from '../store.ts';
import { toReceipt } from './retraction.ts';

/** The condition that the time of a document has not passed. */
const isAlive = (now: number): RowCondition => ({ test: 'not_lte', attribute: `time:${EXPIRY_KEY}`, value: now });

const hasEnded = (now: number): RowCondition => ({ test: 'lte', attribute: `time:${EXPIRY_KEY}`, value: now });

/** A store without what has expired: nothing shows it from that moment on, whether it was erased by then or not. */
export function withoutExpired(store: DocumentStore, clock: () => Date): DocumentStore {
  const alive = ({ visible, condition }: Selection): Selection => ({
    visible,
    condition: allOf([condition, isAlive(clock().getTime())]),
  });
  const put: DocumentStore['put'] = async (writes, options) => {
    const outcome = await store.put(writes, options);
    if (outcome.kind !== 'exists') return outcome;
    const condition = hasEnded(clock().getTime());
    const [ended] = await store.read([outcome.id], { visible: { kind: 'everyone' }, condition });
    if (ended === undefined) return outcome;
    // What is there for nobody holds no id.
    await store.remove(ended.revision, { isForgotten: true });
    return put(writes, options);
  };
  return {
    ...store,
    put,
    read: (ids, selection) => store.read(ids, alive(selection)),
    find: (query, selection, limit) => store.find(query, alive(selection), limit),
    list: (selection, page) => store.list(alive(selection), page),
  };
}

/** @throws ContextloomError `invalid` for a time that is none: it would never come */
export function requireExpiry({ [EXPIRY_KEY]: at = null }: JsonObject): void {
  if (at === null || (typeof at === 'string' && parseTimestamp(at) !== undefined)) return;
  const field = `metadata.${EXPIRY_KEY}`;
  throw new ContextloomError('invalid', `${field} must be a time in ISO 8601, such as 2026-03-01T00:00:00Z`, { field });
}

/** After how many milliseconds a document is forgotten that does not say when, where a rule is about it. */
export type ToLifetime = (document: Pick<KeyedDocument, 'tags' | 'metadata'>) => number | undefined;

interface LifetimeOptions {
  readonly toLifetime?: ToLifetime | undefined;
  readonly clock: () => Date;
}

/** A document with when it is forgotten, where it does not say so and a rule does. */
export function withLifetime(document: KeyedDocument, { toLifetime, clock }: LifetimeOptions): KeyedDocument {
  const { metadata, tags } = document;
  if (toLifetime === undefined || Object.hasOwn(metadata, EXPIRY_KEY) || tags.includes(RETRACTION_TAG)) return document;
  const lifetime = toLifetime(document);
  if (lifetime === undefined) return document;
  const at = new Date(clock().getTime() + lifetime).toISOString();
  return { ...document, metadata: { ...metadata, [EXPIRY_KEY]: at } };
}

/** The key of a receipt whose document is gone while its bytes may still be in the files. */
const UNERASED_KEY = 'unerased';
/** What no owner is called: forgetting it rewrites the files and removes no row. */
const NO_OWNER = 'nobody';
/** Documents a step. */
const STEP = 100;

/** What forgets expired documents works with. */
export interface ExpiryOptions {
  /** The store itself, with what has expired. */
  readonly store: DocumentStore;
  readonly clock: () => Date;
  /** Takes along what rested on a document alone. */
  readonly follow: (document: StoredRecord['document']) => Promise<unknown>;
  readonly put: (document: KeyedDocument, at: string) => Promise<unknown>;
}

/**
 * Builds what erases documents whose time has passed. A receipt of each stays: whose it was, its id, its times and why it went. It can
 * be cut off anywhere: what is left is done by the next one, in whatever process.
 */
export function createForgetExpired({ store, clock, follow, put }: ExpiryOptions): () => Promise<number> {
  const everyone = { kind: 'everyone' } as const;
  const listSome = async (condition: RowCondition) =>
    (await store.list({ visible: everyone, condition }, { limit: STEP, sort: 'updated' })).documents;
  const readOne = async (id: string): Promise<StoredRecord | undefined> =>
    (await store.read([id], { visible: everyone, condition: { test: 'always' } }))[0];
  const forgetOne = async (id: string, at: string): Promise<void> => {
    const record = await readOne(id);
    if (record === undefined) return;
    await follow(record.document);
    const receipt = toReceipt(record.document, at);
    await put({ ...receipt, metadata: { ...receipt.metadata, [UNERASED_KEY]: true } }, at);
    const left = await readOne(id);
    if (left !== undefined) await store.remove(left.revision);
  };
  const eraseBytes = async (at: string): Promise<void> => {
    const condition: RowCondition = allOf([
      { test: 'in', attribute: `tag:${RETRACTION_TAG}`, values: [true] },
      { test: 'in', attribute: `bool:${UNERASED_KEY}`, values: [true] },
    ]);
    let isErased = false;
    for (let receipts = await listSome(condition); receipts.length > 0; receipts = await listSome(condition)) {
      if (!isErased) await store.forget(NO_OWNER, false);
      isErased = true;
      for (const { id, content, tags, metadata } of receipts) {
        const { [UNERASED_KEY]: _, ...done } = metadata;
        await put({ id, content, tags, metadata: done }, at);
      }
    }
  };
  return async () => {
    const now = clock();
    const condition = hasEnded(now.getTime());
    let count = 0;
    for (let documents = await listSome(condition); documents.length > 0; documents = await listSome(condition)) {
      for (const { id } of documents) await forgetOne(id, now.toISOString());
      count += documents.length;
    }
    await eraseBytes(now.toISOString());
    return count;
  };
}

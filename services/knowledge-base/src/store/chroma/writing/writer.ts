import { ContextloomError } from '@contextloom/contracts';
import type { KeyedQueue } from '@contextloom/runtime/scheduling';
import type { DocumentStore, DocumentWrite, PutOutcome } from '../../../domain/store.ts';
import { toRefusal } from '../../refusal.ts';
import type { Session } from '../connection/session.ts';
import { type DocumentState, lookUp } from '../reading/lookup.ts';
import type { Rows } from '../rows/collection.ts';
import {
  isWaiting,
  type RowHistory,
  type StoredRow,
  toRevisedDocument,
  toRevision,
  toStoredRow,
  type Vectored,
} from '../rows/rows.ts';
import { removeDead, settle } from './publish.ts';
import type { WriteIntents } from './write-intents.ts';
import { addShown, checkVector, type Planned, replaceRows, toRows } from './write-rows.ts';

/** How often a write starts over because another process interfered, before it fails and asks the caller to try again. */
const MAX_ATTEMPTS = 20;

/** What the writing half works with. */
export interface WriterOptions {
  readonly session: Session;
  readonly intents: WriteIntents;
  /** Writes of one document wait for each other. */
  readonly queue: KeyedQueue;
  readonly dimensions: number;
}

type States = ReadonlyMap<string, DocumentState>;
/** One try of a write, under the write's own name; `again` when another process came between. */
type Attempt<T> = (rows: Rows, nonce: string) => Promise<T | 'again'>;

/** Runs writes under names of their own, each from the start whenever another process came between. */
function createRunner({ session, intents, queue }: WriterOptions) {
  return async <T>(ids: readonly string[], attempt: Attempt<T>): Promise<T> => {
    const nonce = intents.begin();
    const work = async (rows: Rows): Promise<T> => {
      for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
        const outcome = await attempt(rows, nonce);
        if (outcome !== 'again') return outcome;
      }
      throw new ContextloomError('unavailable', 'the documents are being changed by others; try again');
    };
    try {
      return await queue(ids, () => session.write(work));
    } finally {
      intents.end(nonce);
    }
  };
}

/** Looks documents up, once nothing is left of other writes of them. */
async function lookUpSettled(rows: Rows, ids: readonly string[], intents: WriteIntents): Promise<States | 'again'> {
  const states = await lookUp(rows, ids);
  const all = [...states.values()];
  const met = all.flatMap(({ intents: left }) => left);
  if (met.length > 0) {
    await settle(rows, met, intents);
    return 'again';
  }
  const dead = all.flatMap((state) => state.dead.map(({ id }) => id));
  await removeDead(rows, dead);
  return states;
}

type Runner = ReturnType<typeof createRunner>;

type Refusal = Exclude<PutOutcome, { kind: 'stored' }>;
const stored: PutOutcome = { kind: 'stored' };

/** What is done with the documents of a write that exist already. */
interface Policy {
  /** Why a write may not be done, if it may not; then none is. */
  readonly toRefusal: (write: Vectored, before: StoredRow | undefined) => Refusal | undefined;
  readonly toHistory: (write: Vectored, before: StoredRow | undefined) => RowHistory;
}

/** Builds the function that writes all of the documents or none, over whatever rows exist. */
function createWriteAll(run: Runner, intents: WriteIntents) {
  return (writes: readonly Vectored[], { toRefusal: refuse, toHistory }: Policy): Promise<PutOutcome> => {
    const ids = writes.map(({ document }) => document.id);
    return run(ids, async (rows, nonce) => {
      const states = await lookUpSettled(rows, ids, intents);
      if (states === 'again') return states;
      const liveOf = ({ document }: Vectored) => states.get(document.id)?.live;
      // Some are written already when the index was rebuilt meanwhile, and this is the second time.
      const left = writes.filter((write) => liveOf(write)?.nonce !== nonce);
      const refusal = left.map((write) => refuse(write, liveOf(write))).find((one) => one !== undefined);
      if (refusal !== undefined) return refusal;
      const planned: readonly Planned[] = left.map((write) => {
        const before = liveOf(write);
        return { write, before, history: toHistory(write, before) };
      });
      if (planned.length === 0) return stored;
      const isNew = planned.every(({ before }) => before === undefined);
      return (await (isNew ? addShown : replaceRows)(rows, planned, nonce)) ? stored : 'again';
    });
  };
}

function createReplace(run: Runner, { intents, dimensions }: WriterOptions): DocumentStore['replace'] {
  const withVector = async (rows: Rows, write: DocumentWrite, before: StoredRow): Promise<Vectored> => {
    if (write.vector !== undefined) return checkVector(write, dimensions);
    const [kept] = await rows.get({ ids: [before.id] }, ['metadatas', 'embeddings']);
    if (kept === undefined) return checkVector(write, dimensions);
    return checkVector({ ...write, vector: isWaiting(toStoredRow(kept)) ? null : kept.vector }, dimensions);
  };
  return (revision, write, { at }) => {
    const { document } = write;
    return run([document.id], async (rows, nonce) => {
      const states = await lookUpSettled(rows, [document.id], intents);
      if (states === 'again') return states;
      const live = states.get(document.id)?.live;
      if (live === undefined) return 'stale';
      if (live.nonce === nonce) {
        const { version, created_at } = live.head;
        return { document: { ...document, version, created_at, updated_at: at }, revision: toRevision(live) };
      }
      if (toRevision(live) !== revision) return 'stale';
      const history = { version: live.head.version + 1, created_at: live.head.created_at, updated_at: at };
      const planned = [{ write: await withVector(rows, write, live), before: live, history }];
      await replaceRows(rows, planned, nonce);
      // Whether it was published, by this or another process, is seen at the next try.
      return 'again';
    });
  };
}

function createRemove(run: Runner, { intents }: WriterOptions): DocumentStore['remove'] {
  return (revision) => {
    const id = toRevisedDocument(revision);
    if (id === '') return Promise.resolve('stale');
    let isMarked = false;
    return run([id], async (rows) => {
      const states = await lookUpSettled(rows, [id], intents);
      if (states === 'again') return states;
      const live = states.get(id)?.live;
      if (live === undefined) return isMarked ? 'removed' : 'stale';
      if (toRevision(live) !== revision) return 'stale';
      await rows.mark([{ id: live.id, notes: { 'doc:owner': '', 'doc:dead': true } }]);
      isMarked = true;
      // A process that had intended the next slot before may still publish there: the next try waits for it.
      return 'again';
    });
  };
}

/** The writing half of the store. */
export function createWriter(options: WriterOptions): Pick<DocumentStore, 'put' | 'restore' | 'replace' | 'remove'> {
  const { intents, dimensions } = options;
  const run = createRunner(options);
  const writeAll = createWriteAll(run, intents);

  const put: DocumentStore['put'] = async (writes, { at, keepOwners, hasNewIds = false }) => {
    const vectored = writes.map((write) => checkVector(write, dimensions));
    const first: RowHistory = { version: 1, created_at: at, updated_at: at };
    if (hasNewIds) {
      const planned = vectored.map((write) => ({ write, before: undefined, history: first }));
      await run([], (rows, nonce) => rows.add(toRows(planned, nonce, true)));
      return stored;
    }
    return writeAll(vectored, {
      toRefusal: (write, before) => toRefusal(write, before?.head, keepOwners),
      toHistory: (_write, before) =>
        before === undefined
          ? first
          : { version: before.head.version + 1, created_at: before.head.created_at, updated_at: at },
    });
  };

  const restore: DocumentStore['restore'] = async (writes) => {
    const histories = new Map<string, RowHistory>(writes.map(({ document }) => [document.id, document]));
    const vectored = writes.map((write) => checkVector(write, dimensions));
    await writeAll(vectored, {
      toRefusal: () => undefined,
      toHistory: ({ document: { id } }) => {
        const { version = 1, created_at = '', updated_at = '' } = histories.get(id) ?? {};
        return { version, created_at, updated_at };
      },
    });
  };

  return { put, restore, replace: createReplace(run, options), remove: createRemove(run, options) };
}

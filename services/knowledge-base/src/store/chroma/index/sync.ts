import { always } from '@contextloom/retrieval/filter';
import { toOwner } from '../../../domain/documents/isolation.ts';
import { toWrite } from '../../../domain/indexing/indexing.ts';
import type { DocumentStore, RestoredWrite, Selection } from '../../../domain/store.ts';
import type { Gate } from '../connection/gate.ts';
import type { RowDocument, RowSource, RowState } from '../rows/row-source.ts';
import { toState } from '../rows/rows.ts';

const BATCH = 200;

/** All documents of an index. */
export const everything: Selection = { visible: { kind: 'everyone' }, condition: always };

/** What an index is brought in line with. */
export interface SyncOptions {
  readonly source: RowSource;
  readonly index: DocumentStore;
  readonly gate: Gate;
  /** Takes rows of other clients in as documents; answers which it took. */
  readonly adopt: (rows: readonly string[]) => Promise<readonly string[]>;
  /** Gets how many of the rows that differ have been read. */
  readonly onProgress?: ((progress: { readonly done: number; readonly rows: number }) => void) | undefined;
}

type IndexState = Pick<RowState, 'state' | 'isWaiting'>;

async function readIndexStates(index: DocumentStore): Promise<ReadonlyMap<string, IndexState>> {
  const states = new Map<string, IndexState>();
  for await (const batch of index.scan(BATCH)) {
    for (const { document, vector } of batch) {
      states.set(document.id, { state: toState(document), isWaiting: vector === undefined });
    }
  }
  return states;
}

/** A document of a row as an index takes it. */
const toRestored = ({ document, vector }: RowDocument): RestoredWrite => ({
  ...toWrite(document, toOwner(document.metadata, 'off')),
  document,
  vector,
});

/** Gives documents of an index the state of their rows, and removes those that have none. */
async function bring({ source, index }: SyncOptions, ids: readonly string[], rows: readonly string[]): Promise<void> {
  const documents = await source.read(rows);
  if (documents.length > 0) await index.restore(documents.map(toRestored));
  const there = new Set(documents.map(({ document }) => document.id));
  const gone = ids.filter((id) => !there.has(id));
  for (const { revision } of await index.read(gone, everything)) await index.remove(revision);
}

/**
 * Makes an index say what the rows say. What differs is looked for while writes go on, and read again with none under way.
 * Where the vectors are another embedder's, the index keeps those that it has made meanwhile.
 */
export async function sync(options: SyncOptions): Promise<void> {
  const { source, index, gate, adopt, onProgress } = options;
  const { states, others } = await source.readStates();
  const ours = await readIndexStates(index);
  const isSame = (id: string): boolean => {
    const [their, our] = [states.get(id), ours.get(id)];
    // A vector that the index alone has is of the same text: the row gets one as well.
    const lacksVector = source.hasOwnVectors && their?.isWaiting === false && our?.isWaiting === true;
    return their?.state === our?.state && !lacksVector;
  };
  const known = new Set([...states.keys(), ...ours.keys()]);
  const adopted = await gate.alone(() => adopt(others));
  const ids = [...[...known].filter((id) => !isSame(id)), ...adopted];
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    const rows = some.map((id) => states.get(id)?.row ?? id);
    await gate.alone(() => bring(options, some, rows));
    onProgress?.({ done: Math.min(from + BATCH, ids.length), rows: ids.length });
  }
}

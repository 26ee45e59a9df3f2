import type { Rows } from '../rows/collection.ts';
import { type RowKey, type StoredRow, toSlots, toStoredRow } from '../rows/rows.ts';

/** The rows of a document: the one that is shown, if any, and leftovers of writes. */
export interface DocumentState {
  readonly live: StoredRow | undefined;
  /** Whether another row is shown as well: two processes have just added a document of this id. */
  readonly isDoubled: boolean;
  readonly intents: readonly StoredRow[];
  readonly dead: readonly StoredRow[];
}

function toState(rows: readonly StoredRow[]): DocumentState {
  const inState = (state: StoredRow['state']) => rows.filter((row) => row.state === state);
  const shown = [...inState('live')].sort((a, b) => b.head.version - a.head.version);
  return { live: shown[0], isDoubled: shown.length > 1, intents: inState('intent'), dead: inState('dead') };
}

/** Looks up the rows of documents by their ids, at a cost that does not grow with the collection. */
export async function lookUp(rows: Rows, documents: readonly string[]): Promise<ReadonlyMap<string, DocumentState>> {
  const found = (await rows.get({ ids: documents.flatMap(toSlots) }, ['metadatas'])).map(toStoredRow);
  const byDocument = new Map<string, StoredRow[]>(documents.map((document) => [document, []]));
  for (const row of found) byDocument.get(row.document)?.push(row);
  return new Map([...byDocument].map(([document, states]) => [document, toState(states)]));
}

/** Whether two rows are the same in the same state. */
export function isSame(a: RowKey | undefined, b: RowKey | undefined): boolean {
  return a?.id === b?.id && a?.nonce === b?.nonce;
}

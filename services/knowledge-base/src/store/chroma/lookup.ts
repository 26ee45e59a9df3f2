import type { Rows } from './collection.ts';
import { type HeldRow, type RowKey, toHeldRow, toSlots } from './rows.ts';

/** The rows that a document has: the one that is shown, if any, and what is left of writes. */
export interface Holding {
  readonly live: HeldRow | undefined;
  /** Whether another row is shown as well: two processes have just added a document of this id. */
  readonly isDoubled: boolean;
  readonly claims: readonly HeldRow[];
  readonly dead: readonly HeldRow[];
}

function toHolding(rows: readonly HeldRow[]): Holding {
  const inState = (state: HeldRow['state']) => rows.filter((row) => row.state === state);
  const shown = [...inState('live')].sort((a, b) => b.head.version - a.head.version);
  return { live: shown[0], isDoubled: shown.length > 1, claims: inState('claim'), dead: inState('dead') };
}

/** Looks up the rows of documents by their ids, which costs the same however many rows there are. */
export async function lookUp(rows: Rows, documents: readonly string[]): Promise<ReadonlyMap<string, Holding>> {
  const found = (await rows.get({ ids: documents.flatMap(toSlots) }, ['metadatas'])).map(toHeldRow);
  const byDocument = new Map<string, HeldRow[]>(documents.map((document) => [document, []]));
  for (const row of found) byDocument.get(row.document)?.push(row);
  return new Map([...byDocument].map(([document, held]) => [document, toHolding(held)]));
}

/** Whether two rows are the same in the same state. */
export function isSame(a: RowKey | undefined, b: RowKey | undefined): boolean {
  return a?.id === b?.id && a?.nonce === b?.nonce;
}

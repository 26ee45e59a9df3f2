import { createPrepare, type Database } from '@contextloom/sqlite';
import type { Selection } from '../../domain/store.ts';
import type { HeldDocuments } from './held-documents.ts';
import type { Selector } from './selector.ts';

/** The documents of a selection in memory. */
export interface HeldSelection {
  /** Where they are held. */
  readonly held: HeldDocuments;
  readonly slots: Int32Array;
  /** By slot, 1 for those of the selection; what was put into memory later lies behind its end. */
  readonly selected: Uint8Array;
}

/** A selection that is remembered, as long as the memory is of that generation. */
interface Remembered extends HeldSelection {
  readonly generation: number;
}

/** How many selections are remembered: one takes five bytes a document. */
const MAX_REMEMBERED = 32;

function toSelected(slots: Int32Array, count: number): Uint8Array {
  const selected = new Uint8Array(count);
  for (const slot of slots) selected[slot] = 1;
  return selected;
}

/**
 * Builds the function that gives the documents of a selection from memory, and remembers which they are until another
 * connection changes anything; `undefined` when they are to be read from the rows, or more than fit. It belongs into the
 * transaction of a search: it sees what that sees.
 * @param memories all memories, and the one for so many documents; none when they are too few for any
 */
export function createHeldSelections(
  database: Database,
  { toSql }: Pick<Selector, 'toSql'>,
  memories: { readonly all: readonly HeldDocuments[]; readonly of: (documents: number) => HeldDocuments | undefined },
): (selection: Selection) => HeldSelection | undefined {
  // Another number whenever another connection has written, and this one writes nothing.
  const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  const prepare = createPrepare(database);
  const remembered = new Map<string, Remembered>();
  let lastVersion: number | undefined;

  const pick = (selection: Selection): readonly number[] => {
    const { sql, params } = toSql(selection);
    const docs = prepare<string>(`SELECT json_group_array(d.doc) FROM documents d WHERE ${sql}`)
      .pluck()
      .get(...params);
    return JSON.parse(docs ?? '[]');
  };
  const forgetChanged = (): void => {
    const version = dataVersion.get();
    if (version === lastVersion) return;
    lastVersion = version;
    remembered.clear();
    for (const held of memories.all) held.refresh();
  };
  const remember = (key: string, found: Remembered): void => {
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(key, found);
  };

  return (selection) => {
    forgetChanged();
    const key = JSON.stringify(selection);
    const known = remembered.get(key);
    if (known !== undefined && known.generation === known.held.generation) return known;
    const docs = pick(selection);
    const held = memories.of(docs.length);
    const slots = held?.take(docs);
    if (held === undefined || slots === undefined) return undefined;
    const found = { held, slots, selected: toSelected(slots, held.count), generation: held.generation };
    remember(key, found);
    return found;
  };
}

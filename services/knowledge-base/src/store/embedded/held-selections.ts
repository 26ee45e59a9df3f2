import type { Database } from '@contextloom/sqlite';
import type { Selection } from '../store.ts';
import type { HeldDocuments } from './held-documents.ts';
import type { Selector } from './selector.ts';

/** The documents of a selection in memory. */
export interface HeldSelection {
  readonly slots: Int32Array;
  /** By slot, 1 for those of the selection; what was put into memory later lies behind its end. */
  readonly selected: Uint8Array;
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
 * connection changes anything; `undefined` when they are fewer than `fromRows`, or more than fit. It belongs into the
 * transaction of a search: it sees what that sees.
 */
export function createHeldSelections(
  database: Database,
  { toSql }: Pick<Selector, 'toSql'>,
  held: HeldDocuments,
  fromRows: number,
): (selection: Selection) => HeldSelection | undefined {
  // Another number whenever another connection has written, and this one writes nothing.
  const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  const remembered = new Map<string, HeldSelection>();
  let lastVersion: number | undefined;
  let lastGeneration = held.generation;

  const pick = (selection: Selection): readonly number[] => {
    const { sql, params } = toSql(selection);
    const docs = database
      .prepare<unknown[], string>(`SELECT json_group_array(d.doc) FROM documents d WHERE ${sql}`)
      .pluck()
      .get(...params);
    return JSON.parse(docs ?? '[]');
  };
  const forgetOld = (): void => {
    const version = dataVersion.get();
    if (version !== lastVersion) held.refresh();
    if (version !== lastVersion || held.generation !== lastGeneration) remembered.clear();
    [lastVersion, lastGeneration] = [version, held.generation];
  };
  const remember = (key: string, found: HeldSelection): void => {
    if (held.generation !== lastGeneration) remembered.clear();
    lastGeneration = held.generation;
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(key, found);
  };

  return (selection) => {
    forgetOld();
    const key = JSON.stringify(selection);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const docs = pick(selection);
    const slots = docs.length < fromRows ? undefined : held.take(docs);
    if (slots === undefined) return undefined;
    const found = { slots, selected: toSelected(slots, held.count) };
    remember(key, found);
    return found;
  };
}

import type { Unreached } from '@contextloom/contracts';
import type { DocumentStore } from '../../../domain/store.ts';
import type { Session } from '../connection/session.ts';
import type { Catalog } from '../rows/catalog.ts';
import type { Rows } from '../rows/collection.ts';
import { toStoredRow } from '../rows/rows.ts';

/** Rows a request. */
const BATCH = 1_000;

/** The rows of an owner: those that are shown, and those of writes that are not published or whose rows are dead. */
async function readRows(rows: Rows, owner: string): Promise<{ readonly shown: string[]; readonly hidden: string[] }> {
  const shown = await rows.get({ where: { 'doc:owner': owner } }, []);
  const unshown = (await rows.get({ where: { 'doc:owner': '' } }, ['metadatas'])).map(toStoredRow);
  return {
    shown: shown.map(({ id }) => id),
    hidden: unshown.filter(({ head }) => head.owner === owner).map(({ id }) => id),
  };
}

async function removeRows(rows: Rows, owner: string): Promise<void> {
  const { shown, hidden } = await readRows(rows, owner);
  const remove = async (ids: readonly string[], mark: string): Promise<void> => {
    // By the mark too: a slot may have another row by now.
    for (let from = 0; from < ids.length; from += BATCH)
      await rows.remove(ids.slice(from, from + BATCH), { 'doc:owner': mark });
  };
  await remove(shown, owner);
  await remove(hidden, '');
}

/** What the parts of {@link createForget} are. */
export interface ForgetOptions {
  readonly session: Session;
  readonly catalog: Catalog;
  /** What errors call the store. */
  readonly store: string;
}

/** Builds the forgetting of an owner on a Chroma server, which keeps the bytes of deleted rows in its own files. */
export function createForget({ session, catalog, store }: ForgetOptions): DocumentStore['forget'] {
  const inFiles: Unreached = {
    what: `the files of ${store}`,
    why: 'a Chroma server keeps deleted rows in its queue, free pages and vector files: rebuild the index, stop the server and run "chroma vacuum --path <its folder>"',
  };
  const inNextIndex: Unreached = {
    what: `the next index of ${store}`,
    why: 'the index is being rebuilt: forget again when that is done',
  };
  /** The collection that is being made to take the place of the one in use. */
  const findNext = async () => {
    const { indexSwap } = await catalog.open((await catalog.read()).current);
    return indexSwap.next === '' ? undefined : catalog.find(indexSwap.next);
  };
  return async (owner, isDryRun) => {
    const found = await session.run((rows) => readRows(rows, owner));
    const erased = [
      { what: 'documents', count: found.shown.length },
      { what: 'hidden versions', count: found.hidden.length },
    ];
    if (isDryRun) return { erased, unreached: [] };
    await session.write((rows) => removeRows(rows, owner));
    const next = await findNext();
    if (next !== undefined) await removeRows(next.rows, owner);
    return { erased, unreached: [inFiles, ...(next === undefined ? [] : [inNextIndex])] };
  };
}

import type { Unreached } from '@contextloom/contracts';
import { always } from '@contextloom/retrieval/filter';
import { parseCursor, toCursor } from '../../../domain/documents/order.ts';
import type { DocumentStore, ListPosition, Selection } from '../../../domain/store.ts';
import type { LocalIndex } from '../index/local-index.ts';
import type { Catalog } from '../rows/catalog.ts';
import type { WriterOptions } from './writer.ts';

/** Rows a request. */
const BATCH = 1_000;

/** What the parts of {@link createForget} are. */
export interface ForgetOptions extends Pick<WriterOptions, 'rows' | 'gate' | 'hold' | 'onCount'> {
  readonly local: LocalIndex;
  readonly catalog: Catalog;
  /** What errors call the store. */
  readonly store: string;
}

/** Builds the forgetting of an owner: in the index no byte is left, on the server only what it keeps of deleted rows. */
export function createForget({
  rows,
  gate,
  hold,
  onCount,
  local,
  catalog,
  store,
}: ForgetOptions): DocumentStore['forget'] {
  const inFiles: Unreached = {
    what: `the files of ${store}`,
    why: 'a Chroma server keeps deleted rows in its memory, queue, free pages and vector files: restart the server, rebuild the index, stop the server and run "chroma vacuum --path <its folder>"',
  };
  const removeRows = async (owner: string): Promise<void> => {
    const selection: Selection = { visible: { kind: 'owners', owners: [owner] }, condition: always };
    for (let after: ListPosition | undefined; ; ) {
      const { documents, more } = await local.store.list(selection, { limit: BATCH, ...(after && { after }) });
      await hold();
      await rows().remove(documents.map(({ id }) => id));
      const last = documents.at(-1);
      if (!more || last === undefined) return;
      after = parseCursor(toCursor(last));
    }
  };
  return async (owner, isDryRun) => {
    if (isDryRun) return local.store.forget(owner, true);
    return gate.alone(async () => {
      const { erased } = await local.store.forget(owner, true);
      await removeRows(owner);
      const { unreached } = await local.store.forget(owner, false);
      onCount(-erased.reduce((sum, { count }) => sum + count, 0));
      // Copies that are being made, or were left by other embedders, can be made again.
      await catalog.dropNext();
      local.removeOthers();
      return { erased, unreached: [inFiles, ...unreached] };
    });
  };
}

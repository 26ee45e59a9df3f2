import type { DocumentStore } from '../../../domain/store.ts';
import type { Session } from '../connection/session.ts';
import { isWaiting, type StoredRow, toStoredDocument, toStoredRow } from './rows.ts';

/** Builds the function that gives every document with its vector: the ids first, then the rows batch by batch. */
export function createScan(session: Session): DocumentStore['scan'] {
  return async function* scan(batch) {
    const ids = await session.run(async (rows) => (await rows.get({}, [])).map(({ id }) => id));
    for (let from = 0; from < ids.length; from += batch) {
      const asked = ids.slice(from, from + batch);
      const stored = await session.run(async (rows): Promise<readonly StoredRow[]> => {
        return (await rows.get({ ids: asked }, ['documents', 'metadatas', 'embeddings'])).map(toStoredRow);
      });
      yield stored
        .filter(({ state }) => state === 'live')
        .map((row) => ({ document: toStoredDocument(row), vector: isWaiting(row) ? undefined : row.found.vector }));
    }
  };
}

import { embedEach } from '@contextloom/llm';
import type { HybridIndex, IndexedDatabase } from '@contextloom/sqlite';
import { toIndexedText } from '../../domain/indexing/indexing.ts';
import type { DocumentStore } from '../../domain/store.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toDocument } from '../sql/rows.ts';

/** Documents whose vectors are made and written together. */
const BATCH = 32;

type EmbedWaiting = DocumentStore['embedWaiting'];
type Embed = Parameters<EmbedWaiting>[0];

/** Builds the function that makes the vectors of documents that were stored while the embedder was out of reach. */
export function createEmbedWaiting(
  { database, transactions }: Pick<IndexedDatabase, 'database' | 'transactions'>,
  index: HybridIndex,
): EmbedWaiting {
  const read = database.prepare<[string], DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM json_each(?) asked CROSS JOIN documents d ON d.doc = asked.value`,
  );
  const embedRows = async (rows: readonly number[], embed: Embed): Promise<number> => {
    const waiting = read.all(JSON.stringify(rows)).map((row) => ({ row, text: toIndexedText(toDocument(row)) }));
    const vectors = await embedEach(
      waiting.map(({ text }) => text),
      embed,
    );
    return transactions.run(() => {
      index.check();
      const versions = new Map(read.all(JSON.stringify(rows)).map(({ doc, version }) => [doc, version]));
      let made = 0;
      for (const [at, { row, text }] of waiting.entries()) {
        const vector = vectors[at];
        // What changed meanwhile has another vector, or waits for one.
        if (vector === undefined || versions.get(row.doc) !== row.version) continue;
        index.put(row.doc, index.toEntry(text, vector));
        made += 1;
      }
      return made;
    });
  };
  return async (embed) => {
    let made = 0;
    // Vectors of another embedder are being replaced: those that wait are made with them.
    if (!index.isOwn()) return made;
    for (let rows = index.withoutVector(BATCH); rows.length > 0; rows = index.withoutVector(BATCH, rows.at(-1)))
      made += await embedRows(rows, embed);
    return made;
  };
}

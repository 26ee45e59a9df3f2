import { isContextloomError } from '@contextloom/contracts';
import type { HybridIndex, IndexedDatabase } from '@contextloom/sqlite';
import { toIndexedText } from '../../domain/indexing/indexing.ts';
import type { DocumentStore } from '../../domain/store.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toDocument } from './rows.ts';

/** Documents whose vectors are made and written together. */
const BATCH = 32;

type EmbedWaiting = NonNullable<DocumentStore['embedWaiting']>;
type Embed = Parameters<EmbedWaiting>[0];

/** The vectors of texts; one that the model refuses as such goes without, and does not hold up the others. */
async function embedEach(texts: readonly string[], embed: Embed): Promise<readonly (Float32Array | undefined)[]> {
  try {
    return await embed(texts);
  } catch (error) {
    const isOfText = isContextloomError(error) && (error.code === 'invalid' || error.code === 'too_large');
    if (!isOfText) throw error;
    if (texts.length <= 1) return [undefined];
    const vectors: (Float32Array | undefined)[] = [];
    for (const text of texts) vectors.push(...(await embedEach([text], embed)));
    return vectors;
  }
}

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

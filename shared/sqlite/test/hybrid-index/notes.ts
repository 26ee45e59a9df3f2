import { join } from 'node:path';
import { cosineSimilarity, type Tokens, tokenize } from '@contextloom/retrieval';
import { BM25 } from '@contextloom/retrieval/ranking';
import {
  createHybridIndex,
  type HybridHits,
  type IndexDefinition,
  type OpenIndexedDatabaseOptions,
  openIndexedDatabase,
  type SqlPart,
  toIndexSchema,
} from '../../src/index.ts';

export const DIMENSIONS = 6;

export const definition: IndexDefinition = {
  name: 'note',
  table: { name: 'notes', row: 'note', key: 'id' },
  dimensions: DIMENSIONS,
  fingerprint: 'letters 1',
};

const migrations = [
  `CREATE TABLE notes (note INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, text TEXT NOT NULL) STRICT;
   CREATE INDEX notes_by_owner ON notes (owner);${toIndexSchema(definition)}`,
];

/** A text of somebody's. */
export interface Note {
  readonly id: string;
  readonly owner: string;
  readonly text: string;
}

/** A vector of a text: how often some letters stand in it, less one. */
export function embed(text: string): Float32Array {
  return Float32Array.from('aeiot茶', (letter) => text.split(letter).length - 2);
}

/** The notes of an owner, or of everybody. */
export function notesOf(owner?: string): SqlPart {
  return owner === undefined
    ? { sql: 'SELECT note FROM notes', params: [] }
    : { sql: 'SELECT note FROM notes WHERE owner = ?', params: [owner] };
}

/** Opens the notes in a folder, as a service opens its own table with an index. */
export function openNotes(
  folder: string,
  options: Partial<OpenIndexedDatabaseOptions> & Pick<Partial<IndexDefinition>, 'fingerprint' | 'earlier'> = {},
) {
  const { fingerprint = definition.fingerprint, earlier = [], ...place } = options;
  const file = join(folder, 'notes.sqlite');
  const indexed = openIndexedDatabase({ file, migrations, threads: 0, cacheBytes: 0, ...place });
  const { database, transactions } = indexed;
  const index = createHybridIndex({ definition: { ...definition, fingerprint, earlier }, indexed });
  const insert = database.prepare<[string, string, string]>(
    `INSERT INTO notes (id, owner, text) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, text = excluded.text`,
  );
  const rowOf = database.prepare<[string], number>('SELECT note FROM notes WHERE id = ?').pluck();
  const textOf = database.prepare<[number], string>('SELECT text FROM notes WHERE note = ?').pluck();
  const toEntry = (text: string) => index.toEntry(tokenize(text), embed(text));
  return {
    index,
    database,
    put: (notes: readonly Note[]) =>
      transactions.run(() => {
        for (const { id, owner, text } of notes) {
          insert.run(id, owner, text);
          index.put(rowOf.get(id) ?? 0, toEntry(text));
        }
      }),
    remove: (id: string) => transactions.run(() => void database.prepare('DELETE FROM notes WHERE id = ?').run(id)),
    search: (query: string, owner?: string, limit = 10) =>
      index.search({ tokens: tokenize(query), vector: embed(query), selection: notesOf(owner), limit }),
    derive: async (rows: readonly number[]) =>
      rows.flatMap((row) => {
        const text = textOf.get(row);
        return text === undefined ? [] : [{ row, entry: toEntry(text) }];
      }),
    close: indexed.close,
  };
}

export type Notes = ReturnType<typeof openNotes>;

type Hit = readonly [id: string, score: string];

/** Of the words here, the one that texts about anything have. */
const COMMON_WORD = 'number';

/** BM25 by its definition, over the texts that have a word of the query and their number among all that were searched. */
function scoreNaively(texts: readonly string[], query: string): readonly number[] {
  const toTokens = ({ terms, unigrams }: Tokens): readonly string[] => [...terms, ...unigrams];
  const asked = new Set(toTokens(tokenize(query)));
  const documents = texts.map((text) => toTokens(tokenize(text)));
  const matching = documents.filter((document) => document.some((token) => asked.has(token)));
  const meanLength = matching.reduce((sum, { length }) => sum + length, 0) / matching.length;
  return documents.map((document) => {
    let score = 0;
    for (const token of asked) {
      const having = matching.filter((one) => one.includes(token)).length;
      const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
      const frequency = document.filter((other) => other === token).length;
      const norm = (BM25.k1 * (document.length + BM25.addend)) / (meanLength + BM25.addend);
      const share = token === COMMON_WORD ? 0.5 : 1;
      score += frequency === 0 ? 0 : (share * idf * frequency * (BM25.k1 + 1)) / (frequency + norm);
    }
    return score;
  });
}

/** What has to be found, from the definitions of BM25 and the cosine alone; scores to nine places, as ties are told by. */
export function searchNaively(notes: readonly Note[], query: string, owner?: string, limit = 10) {
  const seen = notes.filter((note) => owner === undefined || note.owner === owner);
  const hasDirection = (vector: Float32Array): boolean => vector.some((value) => value !== 0);
  const toCosine = ({ text }: Note): number =>
    hasDirection(embed(text)) && hasDirection(embed(query)) ? cosineSimilarity(embed(text), embed(query)) : -2;
  const toHits = (scores: readonly number[]): readonly Hit[] =>
    seen
      .map(({ id }, at) => ({ id, score: Number((scores[at] ?? 0).toFixed(9)) }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, score }) => [id, Math.max(0, score).toFixed(9)]);
  const byWords = toHits(
    scoreNaively(
      seen.map(({ text }) => text),
      query,
    ),
  );
  return { byWords: byWords.filter(([, score]) => Number(score) > 0), byVector: toHits(seen.map(toCosine)) };
}

/** What was found, as {@link searchNaively} tells it. */
export function toFound({ byWords, byVector }: HybridHits) {
  return {
    byWords: byWords.map(({ key, words }): Hit => [key, words.toFixed(9)]),
    byVector: byVector.map(({ key, vector }): Hit => [key, vector.toFixed(9)]),
  };
}

/** A query whose vector has other dimensions than the notes'. */
export const toWrongQuery = () => ({
  tokens: { terms: ['tea'], unigrams: [] },
  vector: new Float32Array(3),
  limit: 5,
  selection: { sql: 'SELECT note FROM notes', params: [] },
});

import { type Database, toVectorBlob } from '@contextloom/sqlite';
import type { Candidate, Findings, Selection, Synchronous } from '../store.ts';
import { createHeldDocuments } from './held-documents.ts';
import { createHeldSelections, type HeldSelection } from './held-selections.ts';
import { CANDIDATE_COLUMNS, type CandidateRow, toCandidate } from './rows.ts';
import { type Scores, toBest } from './scores.ts';
import type { Selector } from './selector.ts';

type Find = Synchronous<'find'>['find'];
type Query = Parameters<Find>[0];

// What is in memory is a little less exact than the rows: they have the last word, in the same way as without it.
const DISTANCES = `SELECT e.doc, vec_distance_cosine(e.vector, ?) AS distance
  FROM json_each(?) p CROSS JOIN embeddings e ON e.doc = p.value`;

/** Stands for the score of a vector without a direction: less than that of any other, a cosine. */
const NOWHERE = -2;

interface DistanceRow {
  readonly doc: number;
  /** None where a vector has no direction. */
  readonly distance: number | null;
}

interface KeyedRow extends Omit<CandidateRow, 'score'> {
  readonly doc: number;
}

/**
 * Builds the search that keeps in memory what it reads of a selection's documents; it answers `undefined` when they are
 * fewer than pay for it, or more than fit. By words all that match are scored by their own statistics, however many.
 */
export function createHeldFind(
  database: Database,
  selector: Pick<Selector, 'toSql'>,
  { dimensions, fromRows, maxBytes }: { dimensions: number; fromRows: number; maxBytes: number },
): (query: Query, selection: Selection, limit: number) => Findings | undefined {
  const held = createHeldDocuments(database, dimensions, maxBytes);
  const take = createHeldSelections(database, selector, held, fromRows);
  const readDistances = database.prepare<[Buffer, string], DistanceRow>(DISTANCES);
  const readRows = database.prepare<[string], KeyedRow>(
    `SELECT d.doc, ${CANDIDATE_COLUMNS} FROM json_each(?) p CROSS JOIN documents d ON d.doc = p.value`,
  );

  /** The documents of the best scores, ties by id. */
  const toCandidates = (scores: ReadonlyMap<number, number>, limit: number): readonly Candidate[] =>
    readRows
      .all(JSON.stringify([...scores.keys()]))
      .map((row) => ({ ...row, score: scores.get(row.doc) ?? 0 }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map((row) => toCandidate({ ...row, score: row.score === NOWHERE ? null : row.score }));
  const byDocs = (scores: Scores, limit: number) =>
    new Map([...toBest(scores, limit)].map(([slot, score]) => [held.docOf(slot), score]));

  const byWords = ({ slots, selected }: HeldSelection, { tokens }: Query, limit: number): readonly Candidate[] =>
    toCandidates(byDocs(held.words.score(selected, slots.length, tokens), limit), limit);
  const byVector = ({ slots }: HeldSelection, { vector }: Query, limit: number): readonly Candidate[] => {
    if (vector === undefined) return [];
    const docs = held.vectors.nearest(slots, vector, limit).map(held.docOf);
    const rows = readDistances.all(toVectorBlob(vector, dimensions), JSON.stringify(docs));
    const scores = rows.map(({ doc, distance }) => [doc, distance === null ? NOWHERE : 1 - distance] as const);
    return toCandidates(new Map(scores), limit);
  };

  return (query, selection, limit) => {
    const found = take(selection);
    if (found === undefined) return undefined;
    return { byWords: byWords(found, query, limit), byVector: byVector(found, query, limit) };
  };
}

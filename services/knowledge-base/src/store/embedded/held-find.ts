import { type Database, toVectorBlob } from '@contextloom/sqlite';
import type { Candidate, Findings, Found, Selection, Synchronous } from '../../domain/store.ts';
import { createHeldDocuments, type HeldDocuments } from './held-documents.ts';
import { createHeldSelections, type HeldSelection } from './held-selections.ts';
import { CANDIDATE_COLUMNS, type CandidateRow, toCandidate } from './rows.ts';
import { toBest } from './scores.ts';
import type { Selector } from './selector.ts';

type Find = Synchronous<'find'>['find'];
type Query = Parameters<Find>[0];

// What is in memory is a little less exact than the rows: they have the last word, in the same way as without it.
const DISTANCES = `SELECT e.doc, vec_distance_cosine(e.vector, ?) AS distance
  FROM json_each(?) p CROSS JOIN embeddings e ON e.doc = p.value`;

/** Stands for the score of a vector without a direction: less than that of any other, a cosine. */
const NOWHERE = -2;

/** From how many documents on a selection is held among the large ones, and which share of the memory the others have. */
const SMALL_ROWS = 2_000;
const SMALL_SHARE = 0.25;

/** Up to so many candidates are kept: some ten megabytes. */
const MAX_CANDIDATES = 20_000;

interface DistanceRow {
  readonly doc: number;
  /** None where a vector has no direction. */
  readonly distance: number | null;
}

/** Scores of documents by their slots. */
type SlotScores = ReadonlyMap<number, number>;

/** The documents of the best scores, ties by id. */
function sort(scores: SlotScores, candidates: ReadonlyMap<number, Candidate>, limit: number): readonly Found[] {
  const idOf = (slot: number): string => candidates.get(slot)?.id ?? '';
  return [...scores]
    .sort(([a, one], [b, other]) => other - one || (idOf(a) < idOf(b) ? -1 : 1))
    .slice(0, limit)
    .flatMap(([slot, score]) => {
      const candidate = candidates.get(slot);
      return candidate === undefined ? [] : [{ candidate, score: Math.max(0, score) }];
    });
}

interface KeyedRow extends CandidateRow {
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
  // What is soon read again makes room for others at once, and never takes the place of what takes long.
  const small = createHeldDocuments(database, { dimensions, maxBytes: maxBytes * SMALL_SHARE, patience: 1 });
  const large = createHeldDocuments(database, { dimensions, maxBytes: maxBytes * (1 - SMALL_SHARE), patience: 8 });
  const take = createHeldSelections(database, selector, {
    all: [small, large],
    of: (documents) => (documents < fromRows ? undefined : documents < SMALL_ROWS ? small : large),
  });
  const readDistances = database.prepare<[Buffer, string], DistanceRow>(DISTANCES);
  const readRows = database.prepare<[string], KeyedRow>(
    `SELECT d.doc, ${CANDIDATE_COLUMNS} FROM json_each(?) p CROSS JOIN documents d ON d.doc = p.value`,
  );

  const byWords = ({ held, slots, selected }: HeldSelection, { tokens }: Query, limit: number): SlotScores =>
    toBest(held.words.score(selected, slots.length, tokens), limit);
  const byVector = ({ held, slots }: HeldSelection, { vector }: Query, limit: number): SlotScores => {
    if (vector === undefined) return new Map();
    const wanted = toVectorBlob(vector, dimensions); // Refuses one of other dimensions.
    const near = new Map(held.vectors.nearest(slots, vector, limit).map((slot) => [held.docOf(slot), slot]));
    const rows = readDistances.all(wanted, JSON.stringify([...near.keys()]));
    const cosines = Float64Array.from(rows, ({ distance }) => (distance === null ? NOWHERE : 1 - distance));
    return toBest({ keys: rows.map(({ doc }) => near.get(doc) ?? 0), values: cosines }, limit);
  };
  /** Candidates by their slots, of which those that were not found before are read. */
  const readCandidates = (held: HeldDocuments, slots: readonly number[]): ReadonlyMap<number, Candidate> => {
    const { candidates } = held;
    if (candidates.size > MAX_CANDIDATES) candidates.clear();
    const unread = new Map(slots.filter((slot) => !candidates.has(slot)).map((slot) => [held.docOf(slot), slot]));
    for (const row of unread.size === 0 ? [] : readRows.all(JSON.stringify([...unread.keys()]))) {
      candidates.set(unread.get(row.doc) ?? 0, toCandidate(row));
    }
    return candidates;
  };

  return (query, selection, limit) => {
    const found = take(selection);
    if (found === undefined) return undefined;
    const [words, near] = [byWords(found, query, limit), byVector(found, query, limit)];
    const candidates = readCandidates(found.held, [...words.keys(), ...near.keys()]);
    return { byWords: sort(words, candidates, limit), byVector: sort(near, candidates, limit) };
  };
}

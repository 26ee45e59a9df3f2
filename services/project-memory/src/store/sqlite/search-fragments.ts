import type { QueryTokens } from '@contextloom/retrieval/ranking';
import { toVector } from '@contextloom/sqlite';
import { toCosine } from '../../domain/ingest/vectors.ts';
import type { FragmentHit, Selection } from '../../domain/store.ts';
import {
  rankByWords,
  type ScoredFragment,
  type Tie,
  toBestFragments,
  toOrder,
  type WordCandidate,
} from '../reading/rank-words.ts';
import { toSourceParameters } from '../reading/read-passages.ts';
import { findProjectIds } from '../reading/selection.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Where fragments are, and which states they are parts of. */
const PRESENT = {
  table: 'fragments',
  states: 'memories s on s.id = f.memory_id',
  time: 's.updated_at < to_timestamp($4)',
} as const;
const EARLIER = {
  table: 'version_fragments',
  states: 'memory_versions s on s.memory_id = f.memory_id and s.revision = f.revision',
  time: 's.created_at < to_timestamp($4) and s.replaced_at >= to_timestamp($4)',
} as const;

type Place = typeof PRESENT | typeof EARLIER;

/** A memory has one state at a time: the present one, or that which was replaced later. */
const placesOf = ({ before }: Selection): readonly Place[] => (before === undefined ? [PRESENT] : [PRESENT, EARLIER]);

const PROJECTS = 'f.project_id in (select value from json_each($2))';

/** The fragments of a selection; states are looked at only where it asks something of them. */
function toSource({ before, contentType }: Selection, { table, states, time }: Place): string {
  if (before === undefined && contentType === undefined) return `${table} f where f.owner_id = $1 and ${PROJECTS}`;
  const type = contentType === undefined ? '' : ' and s.content_type = $3';
  return `${table} f join ${states} where f.owner_id = $1 and ${PROJECTS}${type}${before === undefined ? '' : ` and ${time}`}`;
}

/** A fragment with its place in one of the two tables. */
interface Located {
  readonly row: number;
  readonly place: Place;
}

/** Adds what settles ties among few fragments. */
async function addTies<T extends Located & ScoredFragment>(database: SqliteDatabase, best: readonly T[]) {
  const found: (T & Tie)[] = [];
  for (const place of [PRESENT, EARLIER]) {
    const here = new Map(best.filter((one) => one.place === place).map((one) => [one.row, one]));
    if (here.size === 0) continue;
    const rows = await database.query<Tie & { row: number }>(
      `select f.row, s.ts, s.created_at as "createdAt", s.content_hash as hash
       from ${place.table} f join ${place.states} where f.row in (select value from json_each($1))`,
      [[...here.keys()]],
    );
    for (const { row, ...tie } of rows) {
      const fragment = here.get(row);
      if (fragment !== undefined) found.push({ ...fragment, ...tie });
    }
  }
  return found;
}

/** Fragments by cosine, best first: all of the selection are compared. */
export async function findByVector(
  database: SqliteDatabase,
  selection: Selection,
  query: Float32Array,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const parameters = toSourceParameters(selection, await findProjectIds(database, selection));
  const fragments: (ScoredFragment & Located)[] = [];
  for (const place of placesOf(selection)) {
    const text = `select f.row, f.memory_id, f.chunk_index, f.embedding from ${toSource(selection, place)} and f.embedding is not null`;
    database.each(text, parameters, (columns) => {
      const [row, memoryId, chunkIndex, embedding] = columns as [number, string, number, Buffer];
      fragments.push({ place, row, memoryId, chunkIndex, score: toCosine(toVector(embedding), query) });
    });
  }
  const best = await addTies(database, toBestFragments(fragments, limit));
  return toOrder(best, limit).map(({ memoryId, chunkIndex }) => ({ memoryId, chunkIndex }));
}

type Candidate = WordCandidate & Located;

/** The fragments of one table that have one of the words $5. */
function readCandidates(database: SqliteDatabase, selection: Selection, place: Place, parameters: readonly unknown[]) {
  const { table } = place;
  const { before, contentType } = selection;
  const isNarrow = before !== undefined || contentType !== undefined;
  const within = isNarrow ? `and w.fragment in (select f.row from ${toSource(selection, place)})` : '';
  const counts = new Map<number, [form: number, frequency: number][]>();
  database.each(
    `select w.fragment, form.key, w.frequency from json_each($2) project cross join json_each($5) form
     cross join ${table}_words w on w.project_id = project.value and w.token = form.value ${within}`,
    parameters,
    (columns) => {
      const [row, form, frequency] = columns as [number, number, number];
      const known = counts.get(row);
      if (known === undefined) counts.set(row, [[form, frequency]]);
      else known.push([form, frequency]);
    },
  );
  const candidates: Candidate[] = [];
  database.each(
    `select f.row, f.memory_id, f.chunk_index, f.terms, f.unigrams from ${table} f
     where f.row in (select value from json_each($1)) and f.owner_id = $2`,
    [[...counts.keys()], selection.ownerId],
    (columns) => {
      const [row, memoryId, chunkIndex, terms, unigrams] = columns as [number, string, number, number, number];
      candidates.push({ place, row, memoryId, chunkIndex, terms, unigrams, counts: counts.get(row) ?? [] });
    },
  );
  return candidates;
}

/** Fragments by the words of a query, best first. */
export function findByWords(
  database: SqliteDatabase,
  selection: Selection,
  tokens: QueryTokens,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const find = async (forms: readonly string[]) => {
    const projectIds = await findProjectIds(database, selection);
    const parameters = [...toSourceParameters(selection, projectIds), forms];
    const [size] = await database.query<{ count: number }>(
      `select count(*) as count from fragments f where ${PROJECTS}`,
      [selection.ownerId, projectIds],
    );
    const candidates = placesOf(selection).flatMap((place) => readCandidates(database, selection, place, parameters));
    return { candidates, population: size?.count ?? 0 };
  };
  return rankByWords(tokens, { find, addTies: (best) => addTies(database, best) }, limit);
}

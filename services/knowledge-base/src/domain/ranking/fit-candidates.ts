import type { JsonObject, SearchRequest, StoredDocument } from '@contextloom/contracts';
import type { Question } from '@contextloom/retrieval';
import { allOf } from '@contextloom/retrieval/filter';
import {
  combineScores,
  encodePlace,
  type RelevanceScale,
  type Retrieved,
  scoreTurns,
  type Turn,
  toPlacesAround,
} from '@contextloom/retrieval/ranking';
import { toOrder } from '../documents/order.ts';
import { standsAt, toPlace } from '../documents/places.ts';
import { MAX_READ, NEIGHBOURS_OF, NEWNESS } from '../search/tuning.ts';
import type { Candidate, DocumentStore, KeyedDocument, Selection } from '../store.ts';
import { type Fit, type Fitting, type Ranking, type Retriever, toCandidates } from './ranking.ts';

/** Reads the documents of candidates that still exist, by their ids. */
export type ReadDocuments = (candidates: readonly Candidate[]) => Promise<ReadonlyMap<string, KeyedDocument>>;

/** The search that candidates were found by. */
export interface CandidateSearch {
  readonly request: Pick<SearchRequest, 'top_k'>;
  readonly selection: Selection;
  readonly question: Pick<Question, 'isOfNow' | 'isOfAnswers'>;
  readonly read: ReadDocuments;
}

/** A document as a candidate. */
export function toCandidate(document: StoredDocument): Candidate {
  const { id, tags, metadata, created_at } = document;
  const { importance, time: happened } = toOrder(metadata);
  const time = happened ?? Date.parse(created_at);
  return { id, tags, place: toPlace(metadata), importance, time, happened, document };
}

/** What is known of the score that one retriever gives a candidate. */
function toScores(rankings: readonly Ranking[], retriever: Retriever): ReadonlyMap<string, number | undefined> {
  const scores = rankings.flatMap((ranking) =>
    ranking.hits.map(({ candidate, score, other }): readonly [string, number | undefined] => [
      candidate.id,
      ranking.retriever === retriever ? score : other,
    ]),
  );
  return new Map(scores.filter(([, score]) => score !== undefined));
}

/** The candidates of rankings, with what words and vectors make of them. */
function toRetrieved(rankings: readonly Ranking[], candidates: readonly Candidate[]): readonly Retrieved[] {
  const [words, cosines] = [toScores(rankings, 'words'), toScores(rankings, 'vector')];
  const hasVectors = rankings.some(({ retriever, hits }) => retriever === 'vector' && hits.length > 0);
  return candidates.map(({ id, length, document }) => ({
    id,
    words: words.get(id),
    length: length ?? document?.content.length,
    cosine: hasVectors ? cosines.get(id) : undefined,
  }));
}

const toSpeaker = ({ speaker, role }: JsonObject): string | undefined =>
  [speaker, role].find((one) => typeof one === 'string');

/** The selection of the neighbours of the given candidates, best first, that are not among them; undefined when none is missing. */
function toMissingNeighbours(placed: readonly Candidate[], { visible, condition }: Selection): Selection | undefined {
  const places = placed.flatMap(({ place }) => place ?? []);
  const known = new Set(places.map(encodePlace));
  const wanted = places
    .slice(0, NEIGHBOURS_OF)
    .flatMap(toPlacesAround)
    .filter((place) => !known.has(encodePlace(place)));
  return wanted.length === 0 ? undefined : { visible, condition: allOf([condition, standsAt(wanted)]) };
}

/** The best candidates that stand in sequences, as turns, and the neighbours that were looked up for them. */
async function readTurns(
  candidates: readonly Candidate[],
  scores: ReadonlyMap<string, number>,
  { search, store }: { readonly search: CandidateSearch; readonly store: Pick<DocumentStore, 'list'> },
): Promise<{ readonly turns: readonly Turn[]; readonly further: readonly Candidate[] }> {
  const scoreOf = ({ id }: Pick<Candidate, 'id'>): number => scores.get(id) ?? 0;
  const best = [...candidates]
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, Math.max(MAX_READ, search.request.top_k));
  const placed = best.filter(({ place }) => place !== undefined);
  if (placed.length === 0) return { turns: [], further: [] };
  const missing = toMissingNeighbours(placed, search.selection);
  const [documents, around] = await Promise.all([
    search.read(placed),
    missing === undefined ? [] : store.list(missing, { limit: 4 * NEIGHBOURS_OF }).then((page) => page.documents),
  ]);
  const toTurn = ({ id, content, metadata }: KeyedDocument): Turn => ({
    id,
    text: content,
    score: scores.get(id) ?? 0,
    place: toPlace(metadata),
    speaker: toSpeaker(metadata),
  });
  const turns = [...placed.flatMap(({ id }) => documents.get(id) ?? []), ...around].map(toTurn);
  return { turns, further: around.map(toCandidate) };
}

/**
 * Builds the function that gives the factor of a document by when it happened (epoch milliseconds), in a search for how things are
 * now. By its place in the order of time, so that years and hours between documents count alike.
 */
function createRecency(candidates: readonly Candidate[]): (candidate: Candidate) => number {
  const times = [...new Set(candidates.flatMap(({ happened }) => happened ?? []))].sort((a, b) => a - b);
  const places = new Map(times.map((time, at) => [time, at / Math.max(1, times.length - 1)]));
  return ({ happened }) => (happened === undefined ? 1 : 1 + NEWNESS * (places.get(happened) ?? 0));
}

/** How well the candidates of rankings fit, the best with 1: by their words and vectors, and as turns of a conversation. */
export async function fitCandidates(
  rankings: readonly Ranking[],
  search: CandidateSearch,
  { store, scale }: { readonly store: Pick<DocumentStore, 'list'>; readonly scale: RelevanceScale },
): Promise<Fitting> {
  const candidates = [...toCandidates(rankings).values()];
  const scores = combineScores(toRetrieved(rankings, candidates), scale);
  const { turns, further } = await readTurns(candidates, scores, { search, store });
  const asTurns = scoreTurns(turns, search.question);
  const all = [...candidates, ...further];
  const toRecency = search.question.isOfNow ? createRecency(all) : () => 1;
  const fits = all.map((candidate): readonly [string, Fit] => {
    const own = { own: scores.get(candidate.id) ?? 0, fromNeighbours: 0, form: 1 };
    const turn = asTurns.get(candidate.id) ?? own;
    const recency = toRecency(candidate);
    return [candidate.id, { ...turn, recency, value: (turn.own + turn.fromNeighbours) * turn.form * recency }];
  });
  const most = fits.reduce((best, [, { value }]) => Math.max(best, value), Number.MIN_VALUE);
  const toShare = ({ own, fromNeighbours, form, recency, value }: Fit): Fit => ({
    own: own / most,
    fromNeighbours: fromNeighbours / most,
    form,
    recency,
    value: value / most,
  });
  return { fits: new Map(fits.map(([id, fit]) => [id, toShare(fit)])), further };
}

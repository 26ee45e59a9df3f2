import type { SearchRequest, StoredDocument } from '@contextloom/contracts';
import type { Question } from '@contextloom/retrieval';
import { type QueryTokens, toShares } from '@contextloom/retrieval/ranking';
import { toOrder } from '../documents/order.ts';
import { toPlace } from '../documents/places.ts';
import type { TextEmbedder } from '../embedder.ts';
import { LEAST_OF_NOW, NEIGHBOURS } from '../search/tuning.ts';
import { createUtteranceFactor, toUtterance } from '../search/utterances.ts';
import type { Candidate, DocumentStore, KeyedDocument, Selection } from '../store.ts';
import { type Fusion, fuse, fusionOf, type Ranking } from './fusion.ts';
import { findNamedTimes, toTimeFactor } from './named-times.ts';
import { boostByNeighbours, type Placed, toMissingNeighbours } from './neighbours.ts';
import { type RankOptions, type Relevance, toCandidates, toRelevance } from './ranking.ts';
import { createRecencyFactor } from './recency.ts';

/** Reads the documents of candidates that still exist, by their ids. */
export type ReadDocuments = (candidates: readonly Candidate[]) => Promise<ReadonlyMap<string, KeyedDocument>>;

/** The search that candidates were found by. */
export interface Asked {
  readonly request: SearchRequest;
  readonly selection: Selection;
  readonly question: Pick<Question, 'isOfNow'>;
  readonly tokens: QueryTokens;
  readonly read: ReadDocuments;
  /** The relevance of each candidate by itself, with the vectors of a model: ranks alone would lose how near the first one is. */
  readonly fit: ReadonlyMap<string, number> | undefined;
}

/**
 * What the fused rankings count next to how well words fit. By bench:understanding, more answers in other words are among the first
 * three than by the fused rankings alone (.66 and .80 of 80), and it hardly matters how much: .02 and .4 differ by one question.
 */
const TIE_SHARE = 0.15;

/**
 * What the scores of words count next to how relevant texts are by a model's vectors. Without them a rare word that the question has
 * counts too little: by bench:recall on five of LoCoMo with an English encoder, recall@10 and mrr are .777 and .522 without, .818 and .615
 * with .55, and .796 and .609 with no model at all; from .55 to .8 the two stay within .013 and .007. bench:understanding is the same
 * with and without.
 */
const WORDS_SHARE = 0.55;

/** Most documents that are looked up around others. */
const MAX_LOOKED_UP = 200;

/** A document as a candidate. */
export function toCandidate(document: StoredDocument): Candidate {
  const { id, tags, metadata, created_at } = document;
  const { importance, time: happened } = toOrder(metadata);
  const time = happened ?? Date.parse(created_at);
  return { id, tags, place: toPlace(metadata), importance, time, happened, document };
}

/** The fused rankings, before neighbours and times count. */
interface Fused {
  /** The relevance of each candidate, on a scale whose shares can be added and multiplied. */
  readonly steep: ReadonlyMap<string, number>;
  readonly candidates: ReadonlyMap<string, Candidate>;
}

/** A candidate of a sequence, with the factor for what it says. */
interface PlacedUtterance extends Placed {
  readonly utteranceFactor: number;
}

/** The best candidates that are part of a sequence; empty unless one of the first `topK` is. */
function findPlaced({ steep, candidates }: Fused, topK: number): readonly Candidate[] {
  const best = [...steep]
    .sort(([, a], [, b]) => b - a)
    .slice(0, Math.max(NEIGHBOURS.read, topK))
    .flatMap(([id]) => candidates.get(id) ?? []);
  if (best.slice(0, topK).every(({ place }) => place === undefined)) return [];
  return best.filter(({ place }) => place !== undefined);
}

function toUtterances(
  candidates: readonly Candidate[],
  documents: ReadonlyMap<string, KeyedDocument>,
  { steep }: Fused,
  asked: Asked,
): readonly PlacedUtterance[] {
  const toUtteranceFactor = createUtteranceFactor(asked.tokens.terms);
  return candidates.map(({ id, place }) => {
    const utterance = toUtterance(documents.get(id)?.content ?? '');
    const { endsAsking } = utterance;
    return { id, relevance: steep.get(id) ?? 0, place, endsAsking, utteranceFactor: toUtteranceFactor(utterance) };
  });
}

/** The candidates of sequences, and the neighbours looked up for them. */
async function readSequences(
  fused: Fused,
  asked: Asked,
  store: DocumentStore,
): Promise<{ readonly utterances: readonly PlacedUtterance[]; readonly further: readonly Candidate[] }> {
  const placed = findPlaced(fused, asked.request.top_k);
  const missing = toMissingNeighbours(placed, asked.selection);
  const [read, { documents }] = await Promise.all([
    asked.read(placed),
    missing === undefined ? { documents: [] } : store.list(missing, { limit: MAX_LOOKED_UP }),
  ]);
  const utterances = toUtterances(placed, read, fused, asked);
  const further = documents.map(toCandidate);
  const around = toUtterances(further, new Map(documents.map((document) => [document.id, document])), fused, asked);
  return { utterances: [...utterances, ...around], further };
}

/** Scales the relevance of candidates to [0,1]: the best gets 1. */
function scale(parts: ReadonlyMap<string, Omit<Relevance, 'value'>>): ReadonlyMap<string, Relevance> {
  const toValue = ({ own, fromNeighbours, utteranceFactor, timeFactor }: Omit<Relevance, 'value'>): number =>
    (own + fromNeighbours) * utteranceFactor * timeFactor;
  const most = Math.max(...[...parts.values()].map(toValue), Number.MIN_VALUE);
  return new Map(
    [...parts].map(([id, part]) => {
      const { own, fromNeighbours } = part;
      return [id, { ...part, own: own / most, fromNeighbours: fromNeighbours / most, value: toValue(part) / most }];
    }),
  );
}

/** The scores of the hits by words, as shares of the best one. */
function toWordShares(rankings: readonly Ranking[]): ReadonlyMap<string, number> {
  const hits = rankings.filter(({ retriever }) => retriever === 'words').flatMap((ranking) => ranking.hits);
  return toShares(new Map(hits.map(({ candidate, score }) => [candidate.id, score])));
}

/**
 * The relevance of candidates by themselves where that is known, else by the fused rankings. Words alone fit many alike: of these
 * the fused rankings decide. A model's vectors find many that are near: of these the words decide.
 */
function toFitting(fit: Asked['fit'], rankings: readonly Ranking[], fusion: Fusion): ReadonlyMap<string, number> {
  if (fit === undefined) return fuse(rankings, fusion);
  const isOfModel = fusion === 'ranks';
  const shares = isOfModel ? toWordShares(rankings) : toShares(fuse(rankings, fusion));
  const part = isOfModel ? WORDS_SHARE : TIE_SHARE;
  return new Map([...fit].map(([id, value]) => [id, (1 - part) * value + part * (shares.get(id) ?? 0)]));
}

/**
 * How relevant each candidate is, in [0,1]: candidates of one sequence boost each other and what stands between them, and a time that
 * the query names boosts what happened then.
 */
export async function scoreRelevance(
  rankings: readonly Ranking[],
  asked: Asked,
  { store, embedder }: { readonly store: DocumentStore; readonly embedder: TextEmbedder },
): Promise<Pick<RankOptions, 'relevance' | 'further'>> {
  if (asked.request.query.trim() === '') return {};
  const fusion = fusionOf(embedder.identity);
  const { fit } = asked;
  const isScored = fusion === 'scores' || fit !== undefined;
  const relevance = toFitting(fit, rankings, fusion);
  const steep = isScored ? relevance : fuse(rankings, fusion, NEIGHBOURS.k);
  const fused: Fused = { steep, candidates: toCandidates(rankings) };
  const { utterances, further } = await readSequences(fused, asked, store);
  const named = findNamedTimes(asked.request.query);
  if (utterances.length === 0 && named.length === 0 && !asked.question.isOfNow) {
    const plain = isScored ? toShares(relevance) : relevance;
    return { relevance: toRelevance(plain) };
  }
  const boosted = boostByNeighbours(utterances);
  const factors = new Map(utterances.map(({ id, utteranceFactor }) => [id, utteranceFactor]));
  const all = [...further, ...fused.candidates.values()];
  const leastOwn = asked.question.isOfNow ? LEAST_OF_NOW * Math.max(0, ...steep.values()) : 0;
  const toRecencyFactor = asked.question.isOfNow ? createRecencyFactor(all) : () => 1;
  const parts = all.map(({ id, happened }) => {
    const alone = steep.get(id) ?? 0;
    const own = Math.max(alone, leastOwn);
    const timeFactor = happened === undefined ? 1 : toTimeFactor(named, happened) * toRecencyFactor(happened);
    const fromNeighbours = (boosted.get(id) ?? alone) - alone;
    return [id, { own, fromNeighbours, utteranceFactor: factors.get(id) ?? 1, timeFactor }] as const;
  });
  return { relevance: scale(new Map(parts)), further };
}

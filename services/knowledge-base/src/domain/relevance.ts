import type { SearchRequest, StoredDocument } from '@contextloom/contracts';
import type { Question } from '@contextloom/retrieval';
import { type QueryTokens, toShares } from '@contextloom/retrieval/ranking';
import type { TextEmbedder } from './embedder.ts';
import { fuse, fusionOf, type Ranking } from './fusion.ts';
import { findNamedTimes, weighTime } from './named-times.ts';
import { liftByNeighbours, type Placed, toMissingNeighbours } from './neighbours.ts';
import { createWeighNewness } from './newness.ts';
import { toOrder } from './order.ts';
import { toPlace } from './places.ts';
import { type RankOptions, type Relevance, toCandidates, toRelevance } from './ranking.ts';
import type { Candidate, DocumentStore, KeyedDocument, Selection } from './store.ts';
import { LEAST_OF_NOW, NEIGHBOURS } from './tuning.ts';
import { createWeighUtterance, toUtterance } from './utterances.ts';

/** Gives the documents of candidates by their ids, those that are still there. */
export type ReadDocuments = (candidates: readonly Candidate[]) => Promise<ReadonlyMap<string, KeyedDocument>>;

/** The search that candidates were found by. */
export interface Asked {
  readonly request: SearchRequest;
  readonly selection: Selection;
  readonly question: Pick<Question, 'isOfNow'>;
  readonly tokens: QueryTokens;
  readonly read: ReadDocuments;
  /** How relevant each candidate is by itself, where vectors know meanings: ranks would forget how near the first one is. */
  readonly fit: ReadonlyMap<string, number> | undefined;
}

/** Most documents that are looked up around others. */
const MAX_LOOKED_UP = 200;

/** A document as a candidate. */
export function toCandidate(document: StoredDocument): Candidate {
  const { id, tags, metadata, created_at } = document;
  const { importance, time: happened } = toOrder(metadata);
  const time = happened ?? Date.parse(created_at);
  return { id, tags, place: toPlace(metadata), importance, time, happened, document };
}

/** What lists of candidates come to before anything around them counts. */
interface Fused {
  /** The relevance of each candidate, on a scale on which shares of it may be added and multiplied. */
  readonly steep: ReadonlyMap<string, number>;
  readonly candidates: ReadonlyMap<string, Candidate>;
}

/** A candidate with its place, and what its form makes of its relevance. */
interface Said extends Placed {
  readonly form: number;
}

/** The best candidates that stand in sequences; none when none of the very best does, as most documents do not. */
function findPlaced({ steep, candidates }: Fused, topK: number): readonly Candidate[] {
  const best = [...steep]
    .sort(([, a], [, b]) => b - a)
    .slice(0, Math.max(NEIGHBOURS.read, topK))
    .flatMap(([id]) => candidates.get(id) ?? []);
  if (best.slice(0, topK).every(({ place }) => place === undefined)) return [];
  return best.filter(({ place }) => place !== undefined);
}

function toSaid(
  candidates: readonly Candidate[],
  documents: ReadonlyMap<string, KeyedDocument>,
  { steep }: Fused,
  asked: Asked,
): readonly Said[] {
  const weighUtterance = createWeighUtterance(asked.tokens.terms);
  return candidates.map(({ id, place }) => {
    const utterance = toUtterance(documents.get(id)?.content ?? '');
    const { endsAsking } = utterance;
    return { id, relevance: steep.get(id) ?? 0, place, endsAsking, form: weighUtterance(utterance) };
  });
}

/** What stands in sequences and was found, and what was looked up around it. */
async function readSequences(
  fused: Fused,
  asked: Asked,
  store: DocumentStore,
): Promise<{ readonly said: readonly Said[]; readonly further: readonly Candidate[] }> {
  const placed = findPlaced(fused, asked.request.top_k);
  const missing = toMissingNeighbours(placed, asked.selection);
  const [read, { documents }] = await Promise.all([
    asked.read(placed),
    missing === undefined ? { documents: [] } : store.list(missing, { limit: MAX_LOOKED_UP }),
  ]);
  const said = toSaid(placed, read, fused, asked);
  const further = documents.map(toCandidate);
  const around = toSaid(further, new Map(documents.map((document) => [document.id, document])), fused, asked);
  return { said: [...said, ...around], further };
}

/** Brings the relevance of candidates into [0,1]: what has the most gets 1. */
function scale(parts: ReadonlyMap<string, Omit<Relevance, 'value'>>): ReadonlyMap<string, Relevance> {
  const toValue = ({ own, given, form, time }: Omit<Relevance, 'value'>): number => (own + given) * form * time;
  const most = Math.max(...[...parts.values()].map(toValue), Number.MIN_VALUE);
  return new Map(
    [...parts].map(([id, part]) => {
      const { own, given, form, time } = part;
      return [id, { own: own / most, given: given / most, form, time, value: toValue(part) / most }];
    }),
  );
}

/**
 * How relevant each candidate is, in [0,1]: those that stand in a sequence lift each other, and what stands among them; those
 * of a time that the query names are lifted.
 */
export async function weigh(
  rankings: readonly Ranking[],
  asked: Asked,
  { store, embedder }: { readonly store: DocumentStore; readonly embedder: TextEmbedder },
): Promise<Pick<RankOptions, 'relevance' | 'further'>> {
  if (asked.request.query.trim() === '') return {};
  const fusion = fusionOf(embedder.identity);
  const { fit } = asked;
  const isScored = fusion === 'scores' || fit !== undefined;
  const relevance = fit ?? fuse(rankings, fusion);
  const steep = isScored ? relevance : fuse(rankings, fusion, NEIGHBOURS.k);
  const fused: Fused = { steep, candidates: toCandidates(rankings) };
  const { said, further } = await readSequences(fused, asked, store);
  const named = findNamedTimes(asked.request.query);
  if (said.length === 0 && named.length === 0 && !asked.question.isOfNow) {
    const plain = isScored ? toShares(relevance) : relevance;
    return { relevance: toRelevance(plain) };
  }
  const lifted = liftByNeighbours(said);
  const forms = new Map(said.map(({ id, form }) => [id, form]));
  const all = [...further, ...fused.candidates.values()];
  const leastOwn = asked.question.isOfNow ? LEAST_OF_NOW * Math.max(0, ...steep.values()) : 0;
  const weighNewness = asked.question.isOfNow ? createWeighNewness(all) : () => 1;
  const parts = all.map(({ id, happened }) => {
    const alone = steep.get(id) ?? 0;
    const own = Math.max(alone, leastOwn);
    const time = happened === undefined ? 1 : weighTime(named, happened) * weighNewness(happened);
    return [id, { own, given: (lifted.get(id) ?? alone) - alone, form: forms.get(id) ?? 1, time }] as const;
  });
  return { relevance: scale(new Map(parts)), further };
}

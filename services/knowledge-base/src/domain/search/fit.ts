import type { StoredDocument } from '@contextloom/contracts';
import { measureRelevance, type QueryTokens, type RelevanceScale } from '@contextloom/retrieval/ranking';
import { toIndexedText } from '../indexing/indexing.ts';
import type { Ranking } from '../ranking/ranking.ts';
import { MAX_FIT_READ } from './tuning.ts';

/** The parts of a document that a question is compared with. */
type FittedDocument = Pick<StoredDocument, 'id' | 'content' | 'keys'>;

/** What a question is compared with documents by. */
export interface FitOptions {
  readonly tokens: QueryTokens;
  readonly scale: RelevanceScale;
}

const toCosines = (rankings: readonly Ranking[]): ReadonlyMap<string, number> =>
  new Map(
    rankings
      .filter(({ retriever }) => retriever === 'vector')
      .flatMap(({ hits }) => hits.map(({ candidate, score }) => [candidate.id, score] as const)),
  );

/** The relevance of each document to the question by itself, in [0,1] and comparable between searches. */
export function measureFit(
  documents: readonly FittedDocument[],
  rankings: readonly Ranking[],
  { tokens, scale }: FitOptions,
): ReadonlyMap<string, number> {
  const cosines = toCosines(rankings);
  const passages = documents.map((document) => ({
    id: document.id,
    text: toIndexedText(document),
    cosine: cosines.get(document.id),
  }));
  return measureRelevance(tokens, passages, { ...scale, limit: MAX_FIT_READ });
}

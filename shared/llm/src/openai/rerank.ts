import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import type { Reranker } from '../reranking/reranker.ts';
import { type EndpointOptions, openEndpoint, toRefusal } from './client.ts';

/**
 * Most characters of a query and of a document that are sent. Cross-encoders read 512 to some thousand tokens of both
 * together; some endpoints cut what is more, others refuse it.
 */
const MAX_QUERY_CHARACTERS = 1_000;
const MAX_DOCUMENT_CHARACTERS = 4_000;

/** JSON has no NaN and no infinity, and zod takes neither. */
const answerSchema = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/** The beginning of a text, without half of a surrogate pair; endpoints refuse an empty one. */
function toInput(text: string, max: number): string {
  const cut = text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
  return cut.trim() === '' ? '-' : cut;
}

/** The scores in the order of the documents; undefined unless there is one for each of them. */
function toScores(answer: unknown, count: number): readonly number[] | undefined {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return undefined;
  const { results } = parsed.data;
  const byIndex = new Map(results.map(({ index, relevance_score: score }) => [index, score]));
  const scores = Array.from({ length: count }, (_, index) => byIndex.get(index));
  const isWhole = results.length === count && scores.every((score) => score !== undefined);
  return isWhole ? scores : undefined;
}

/** Builds the reranker of an endpoint `<baseUrl>/rerank`. A call is tried once: the caller has an order without it. */
export function createHttpReranker(options: Omit<EndpointOptions, 'attempts' | 'patienceMs'>): Reranker {
  const { model, settings } = options;
  const { address, call } = openEndpoint({ ...options, attempts: 1, patienceMs: 0 });
  const ask = async (body: object, signal: AbortSignal | undefined): Promise<unknown> => {
    try {
      return await call((client, options) => client.post<unknown>('/rerank', { body, ...options }), signal);
    } catch (error) {
      throw toRefusal(error, address, settings);
    }
  };
  return {
    model,
    address,
    rerank: async (query, documents, signal) => {
      if (documents.length === 0) return [];
      const body = {
        model,
        query: toInput(query, MAX_QUERY_CHARACTERS),
        documents: documents.map((document) => toInput(document, MAX_DOCUMENT_CHARACTERS)),
        top_n: documents.length,
      };
      const scores = toScores(await ask(body, signal), documents.length);
      if (scores !== undefined) return scores;
      const message = `${address} did not answer one score for each of ${documents.length} documents: check ${settings.baseUrl}`;
      throw new ContextloomError('unavailable', message);
    },
  };
}

import type { Reranker } from './reranker.ts';

/** Which reranker to speak to. */
export interface RerankerSettings {
  /** Such as `https://api.jina.ai/v1` or `http://127.0.0.1:8012/v1`; requests go to `<baseUrl>/rerank`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Absent for endpoints that want none. */
  readonly apiKey?: string | undefined;
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Builds the reranker of an endpoint that takes requests as those of Cohere and Jina do; nothing is sent before the first
 * call. Errors name the settings `RERANK_BASE_URL`, `RERANK_API_KEY` and `RERANK_MODEL`.
 * @throws ContextloomError `invalid` for an address that is not valid
 */
export async function createReranker(settings: RerankerSettings): Promise<Reranker> {
  // The client is loaded by those who use it: it costs every start a tenth of a second.
  const { createHttpReranker } = await import('../openai/rerank.ts');
  return createHttpReranker({
    ...settings,
    settings: { baseUrl: 'RERANK_BASE_URL', apiKey: 'RERANK_API_KEY', model: 'RERANK_MODEL' },
  });
}

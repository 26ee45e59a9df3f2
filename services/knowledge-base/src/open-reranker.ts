import { ContextloomError } from '@contextloom/contracts';
import { createReranker, type Reranker } from '@contextloom/llm';

/** The settings that say what reads the first candidates of a search once more, if anything does. */
export interface RerankChoice {
  readonly rerankBaseUrl: string | undefined;
  readonly rerankModel: string | undefined;
  readonly rerankApiKey: string | undefined;
  readonly rerankDeadlineMs: number;
}

function refuse(missing: string, given: string): ContextloomError {
  return new ContextloomError('invalid', `${missing} must be set as well when ${given} is`, { field: missing });
}

/**
 * Opens the reranker that the settings name; undefined when they name none.
 * @throws ContextloomError `invalid` when they name half of one
 */
export async function openReranker(choice: RerankChoice): Promise<Reranker | undefined> {
  const { rerankBaseUrl: baseUrl, rerankModel: model, rerankApiKey: apiKey, rerankDeadlineMs: timeoutMs } = choice;
  if (baseUrl === undefined && model === undefined) return undefined;
  if (baseUrl === undefined) throw refuse('RERANK_BASE_URL', 'RERANK_MODEL');
  if (model === undefined) throw refuse('RERANK_MODEL', 'RERANK_BASE_URL');
  return createReranker({ baseUrl, model, apiKey, timeoutMs });
}

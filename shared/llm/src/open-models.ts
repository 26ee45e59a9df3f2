import { ContextloomError } from '@contextloom/contracts';
import type { ChatModel } from './chat/chat-model.ts';
import { createChatModel } from './chat/create-chat-model.ts';
import { createEmbedder } from './embedding/create-embedder.ts';
import type { Embedder } from './embedding/embedder.ts';
import type { KnownEmbedder } from './embedding/embedding-size.ts';
import type { ProgramName } from './program/programs.ts';
import { createReranker } from './reranking/create-reranker.ts';
import type { Reranker } from './reranking/reranker.ts';

/** The values of `chatModelSettings`. */
export interface ChatModelChoice {
  readonly llmProvider?: ProgramName | 'sampling' | undefined;
  readonly llmModel: string | undefined;
  readonly llmBaseUrl: string | undefined;
  readonly llmApiKey: string | undefined;
  readonly llmStructured: 'auto' | 'json_schema' | 'json_object' | 'text';
  readonly llmTimeoutMs: number;
  readonly llmConcurrency: number;
}

/** The values of `embeddingSettings`. */
export interface EmbeddingChoice {
  readonly embeddingProvider: string;
  readonly embeddingModel: string | undefined;
  readonly embeddingBaseUrl: string | undefined;
  readonly embeddingApiKey: string | undefined;
  readonly embeddingDimensions: number | undefined;
  /** The user's data folder has one when absent. */
  readonly embeddingDataDir?: string | undefined;
}

/** The values of `rerankSettings`. */
export interface RerankChoice {
  readonly rerankBaseUrl: string | undefined;
  readonly rerankModel: string | undefined;
  readonly rerankApiKey: string | undefined;
  readonly rerankDeadlineMs: number;
}

/** The model that is meant by a key alone: OpenAI's small one of 2025. */
const DEFAULT_MODEL = 'gpt-4.1-mini';

const missing = (field: string, problem: string): ContextloomError =>
  new ContextloomError('invalid', `${field} ${problem}`, { field });

function toModelName({ llmModel, llmBaseUrl, llmApiKey }: ChatModelChoice): string {
  if (llmModel !== undefined && (llmApiKey !== undefined || llmBaseUrl !== undefined)) return llmModel;
  if (llmModel !== undefined)
    throw missing('LLM_API_KEY', 'must be set for LLM_MODEL, or LLM_BASE_URL for an endpoint that wants no key');
  if (llmBaseUrl === undefined) return DEFAULT_MODEL;
  throw missing('LLM_MODEL', 'must name a model of the endpoint LLM_BASE_URL');
}

/**
 * Opens the chat model that the settings name, an endpoint's or a program's; undefined when they name none, or the model of whoever calls,
 * which `createSamplingModel` asks. Nothing is sent before the first call.
 * @throws ContextloomError `invalid` for an address without a model, or for an address and a program
 */
export async function openChatModel(choice: ChatModelChoice): Promise<ChatModel | undefined> {
  const { llmProvider: provider, llmModel, llmBaseUrl, llmApiKey } = choice;
  if (provider !== undefined) {
    if (llmBaseUrl !== undefined) throw missing('LLM_BASE_URL', `and LLM_PROVIDER=${provider} cannot both be set`);
    if (provider === 'sampling') return undefined;
    const { createProgramModel } = await import('./program/chat.ts');
    return createProgramModel({ provider, model: llmModel, timeoutMs: choice.llmTimeoutMs });
  }
  if (llmModel === undefined && llmBaseUrl === undefined && llmApiKey === undefined) return undefined;
  return createChatModel({
    model: toModelName(choice),
    baseUrl: llmBaseUrl,
    apiKey: llmApiKey,
    structured: choice.llmStructured,
    timeoutMs: choice.llmTimeoutMs,
    concurrency: choice.llmConcurrency,
  });
}

/**
 * Opens the embedder that the settings name; what is known of it counts when it has to be asked and is out of reach.
 * @throws ContextloomError `invalid` for an unknown one or a missing setting, else when it has to be asked and cannot be used
 */
export function openEmbedder(choice: EmbeddingChoice, known?: KnownEmbedder): Promise<Embedder> {
  return createEmbedder({
    known,
    provider: choice.embeddingProvider,
    model: choice.embeddingModel,
    baseUrl: choice.embeddingBaseUrl,
    apiKey: choice.embeddingApiKey,
    dimensions: choice.embeddingDimensions,
    dataDir: choice.embeddingDataDir,
  });
}

/**
 * Opens the reranker that the settings name; undefined when they name none.
 * @throws ContextloomError `invalid` when they name half of one
 */
export async function openReranker(choice: RerankChoice): Promise<Reranker | undefined> {
  const { rerankBaseUrl: baseUrl, rerankModel: model, rerankApiKey: apiKey, rerankDeadlineMs: timeoutMs } = choice;
  if (baseUrl === undefined && model === undefined) return undefined;
  if (baseUrl === undefined) throw missing('RERANK_BASE_URL', 'must be set as well when RERANK_MODEL is');
  if (model === undefined) throw missing('RERANK_MODEL', 'must be set as well when RERANK_BASE_URL is');
  return createReranker({ baseUrl, model, apiKey, timeoutMs });
}

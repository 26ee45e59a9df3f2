import { ContextloomError } from '@contextloom/contracts';
import { type ChatModel, createChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import type { Config } from './config.ts';
import type { Extractor } from './domain/extractor.ts';
import { createRulesExtractor } from './domain/rules-extractor.ts';
import { createModelExtractor } from './extraction/model-extractor.ts';
import { createPrice } from './extraction/price.ts';

/** The settings that say which model extracts memories. */
export type ModelChoice = Pick<
  Config,
  | 'llmModel'
  | 'llmBaseUrl'
  | 'llmApiKey'
  | 'llmStructured'
  | 'llmTimeoutMs'
  | 'llmConcurrency'
  | 'llmInputPrice'
  | 'llmOutputPrice'
>;

/** The model that is meant by a key alone: OpenAI's small one of 2025. */
const DEFAULT_MODEL = 'gpt-4.1-mini';

/**
 * The model that the settings name; undefined when they name none.
 * @throws ContextloomError `invalid` for an address without a model
 */
export async function openModel(choice: ModelChoice): Promise<ChatModel | undefined> {
  const { llmModel, llmBaseUrl, llmApiKey } = choice;
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

function toModelName({ llmModel, llmBaseUrl, llmApiKey }: ModelChoice): string {
  if (llmModel !== undefined && (llmApiKey !== undefined || llmBaseUrl !== undefined)) return llmModel;
  if (llmModel !== undefined)
    throw missing('LLM_API_KEY', 'must be set for LLM_MODEL, or LLM_BASE_URL for an endpoint that wants no key');
  if (llmBaseUrl === undefined) return DEFAULT_MODEL;
  throw missing('LLM_MODEL', 'must name a model of the endpoint LLM_BASE_URL');
}

function missing(field: string, problem: string): ContextloomError {
  return new ContextloomError('invalid', `${field} ${problem}`, { field });
}

/** The extractor that the settings call for: the model that they name, else written rules. */
export async function openExtractor(choice: ModelChoice, log: Log): Promise<Extractor> {
  const rules = createRulesExtractor();
  const model = await openModel(choice);
  if (model === undefined) {
    log.info({ extractor: rules.info }, 'memories are made by written rules: no model is configured');
    return rules;
  }
  log.info({ model: model.model, endpoint: model.address }, 'memories are extracted by a model');
  const { llmBaseUrl: baseUrl, llmInputPrice: inputPrice, llmOutputPrice: outputPrice } = choice;
  const price = createPrice({ model: model.model, baseUrl, inputPrice, outputPrice });
  return createModelExtractor({ model, rules, concurrency: choice.llmConcurrency, price, log });
}

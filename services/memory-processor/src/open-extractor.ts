import { type ChatModelChoice, openChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import type { Config } from './config.ts';
import type { Extractor } from './domain/extractor.ts';
import { createRulesExtractor } from './domain/rules-extractor.ts';
import { createModelExtractor } from './extraction/model-extractor.ts';
import { createPrice } from './extraction/price.ts';

/** The settings that say which model extracts memories, and what it costs. */
export type ModelChoice = ChatModelChoice & Pick<Config, 'llmInputPrice' | 'llmOutputPrice'>;

/** The extractor that the settings call for: the model that they name, else written rules. */
export async function openExtractor(choice: ModelChoice, log: Log): Promise<Extractor> {
  const rules = createRulesExtractor();
  const model = await openChatModel(choice);
  if (model === undefined) {
    log.info({ extractor: rules.info }, 'memories are made by written rules: no model is configured');
    return rules;
  }
  log.info({ model: model.model, endpoint: model.address }, 'memories are extracted by a model');
  const { llmBaseUrl: baseUrl, llmInputPrice: inputPrice, llmOutputPrice: outputPrice } = choice;
  const price = createPrice({ model: model.model, baseUrl, inputPrice, outputPrice });
  return createModelExtractor({ model, rules, concurrency: choice.llmConcurrency, price, log });
}

import { type ChatModelChoice, openChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import type { Config } from './config.ts';
import type { FactJudge } from './domain/decisions/decide-facts.ts';
import type { Extractor } from './domain/extractor.ts';
import type { NoteReader } from './domain/notes/note-reader.ts';
import { createRulesNoteReader } from './domain/notes/rules-reader.ts';
import { createRulesExtractor } from './domain/rules-extractor.ts';
import { createModelExtractor } from './extraction/model-extractor.ts';
import { createModelJudge } from './extraction/model-judge.ts';
import { createModelNoteReader } from './extraction/model-note-reader.ts';
import { createPrice } from './extraction/price.ts';

/** The settings that say which model extracts memories, and what it costs. */
export type ModelChoice = ChatModelChoice &
  Pick<Config, 'llmInputPrice' | 'llmOutputPrice' | 'llmMaxTokens' | 'llmReadTokens' | 'llmCheckFacts' | 'userName'>;

/** Who reads conversations, and who says how facts stand to each other; without a model nobody does the latter. */
export interface Readers {
  readonly extractor: Extractor;
  readonly judge?: FactJudge;
  /** Reads working sessions on a project. */
  readonly noteReader: NoteReader;
}

/** The readers that the settings call for: the model that they name, else written rules. */
export async function openReaders(choice: ModelChoice, log: Log): Promise<Readers> {
  const rules = createRulesExtractor();
  const model = await openChatModel(choice);
  if (model === undefined) {
    log.info({ extractor: rules.info }, 'memories are made by written rules: no model is configured');
    return { extractor: rules, noteReader: createRulesNoteReader() };
  }
  log.info({ model: model.model, endpoint: model.address }, 'memories are extracted by a model');
  const { llmBaseUrl: baseUrl, llmInputPrice: inputPrice, llmOutputPrice: outputPrice } = choice;
  const price = createPrice({ model: model.model, baseUrl, inputPrice, outputPrice });
  const { llmConcurrency: concurrency, llmMaxTokens: maxAnswerTokens, llmReadTokens: maxGroupTokens } = choice;
  return {
    extractor: createModelExtractor({
      model,
      rules,
      concurrency,
      maxAnswerTokens,
      maxGroupTokens,
      price,
      log,
      userName: choice.userName,
      checkFacts: choice.llmCheckFacts,
    }),
    judge: createModelJudge({ model, log }),
    noteReader: createModelNoteReader({ model, log }),
  };
}

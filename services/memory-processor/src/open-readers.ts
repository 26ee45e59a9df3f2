import { ContextloomError } from '@contextloom/contracts';
import { type ChatModel, type ChatModelChoice, createSamplingModel, openChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import type { Config } from './config.ts';
import { createModelBudget, type ModelBudget, type ModelUse } from './domain/budget/model-budget.ts';
import type { FactJudge } from './domain/decisions/decide-facts.ts';
import type { Extractor, Usage } from './domain/extractor.ts';
import type { NoteReader } from './domain/notes/note-reader.ts';
import { createRulesNoteReader } from './domain/notes/rules-reader.ts';
import { createRulesExtractor } from './domain/rules-extractor.ts';
import { type CallingClient, createCallingClient } from './extraction/calling-client.ts';
import { createCountedModel } from './extraction/counted-model.ts';
import { createModelExtractor } from './extraction/model-extractor.ts';
import { createModelJudge } from './extraction/model-judge.ts';
import { createModelNoteReader } from './extraction/model-note-reader.ts';
import { createPrice } from './extraction/price.ts';

type Price = NonNullable<Extractor['price']>;

/** The settings that say which model extracts memories, and what it costs. */
export type ModelChoice = ChatModelChoice &
  Pick<Config, 'llmInputPrice' | 'llmOutputPrice' | 'llmMaxTokens' | 'llmReadTokens' | 'llmCheckFacts' | 'userName'> &
  Pick<Config, 'budgetTokens' | 'budgetDollars' | 'budgetHours' | 'timeZone'>;

/** What readers that ask a model work with. */
export interface OpenReadersOptions {
  /** Where is counted what the model took, if a budget is set. */
  readonly openModelUse: () => Promise<ModelUse>;
  readonly clock: () => Date;
  readonly log: Log;
}

/** Who reads conversations, and who says how facts stand to each other; without a model nobody does the latter. */
export interface Readers {
  readonly extractor: Extractor;
  readonly judge?: FactJudge;
  /** Reads working sessions on a project. */
  readonly noteReader: NoteReader;
  /** Bounds what the model is asked for, if that is set. */
  readonly budget?: ModelBudget | undefined;
  /** Whose model is asked, where that is the client's. */
  readonly callingClient?: CallingClient | undefined;
}

const NOTHING: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/**
 * The budget that the settings call for; undefined where none is.
 * @throws ContextloomError `invalid` where dollars are bounded that nobody knows
 */
function toBudget(choice: ModelChoice, price: Price, { openModelUse, clock }: OpenReadersOptions) {
  const { budgetTokens: tokens, budgetDollars: dollars, budgetHours: hours, timeZone: zone } = choice;
  if (tokens === undefined && dollars === undefined && hours === undefined) return undefined;
  const { usd, basis } = price(NOTHING);
  if (dollars !== undefined && usd === undefined) {
    throw new ContextloomError('invalid', `LLM_BUDGET_DOLLARS needs prices: ${basis}`, { field: 'LLM_BUDGET_DOLLARS' });
  }
  const use: ModelUse = {
    add: async (day, usage, cost) => (await openModelUse()).add(day, usage, cost),
    of: async (day) => (await openModelUse()).of(day),
  };
  return createModelBudget({ limits: { tokens, dollars, hours }, use, price, clock, zone });
}

/** The model that the settings name, which may be that of the client. @throws ContextloomError `invalid` for settings that name two */
async function openModel(choice: ModelChoice, client: CallingClient | undefined): Promise<ChatModel | undefined> {
  const opened = await openChatModel(choice);
  if (client === undefined) return opened;
  return createSamplingModel({ ask: client.ask, model: choice.llmModel, timeoutMs: choice.llmTimeoutMs });
}

/** The readers that the settings call for: the model that they name, else written rules. */
export async function openReaders(choice: ModelChoice, options: OpenReadersOptions): Promise<Readers> {
  const { log } = options;
  const rules = createRulesExtractor();
  const callingClient = choice.llmProvider === 'sampling' ? createCallingClient() : undefined;
  const opened = await openModel(choice, callingClient);
  if (opened === undefined) {
    log.info({ extractor: rules.info }, 'memories are made by written rules: no model is configured');
    return { extractor: rules, noteReader: createRulesNoteReader() };
  }
  log.info({ model: opened.model, endpoint: opened.address }, 'memories are extracted by a model');
  const { llmBaseUrl: baseUrl, llmInputPrice: inputPrice, llmOutputPrice: outputPrice } = choice;
  const price = createPrice({ model: opened.model, baseUrl, inputPrice, outputPrice });
  const budget = toBudget(choice, price, options);
  const model: ChatModel = budget === undefined ? opened : createCountedModel(opened, budget, log);
  // A person may have to allow each question to a client's model.
  const concurrency = callingClient === undefined ? choice.llmConcurrency : 1;
  const { llmMaxTokens: maxAnswerTokens, llmReadTokens: maxGroupTokens } = choice;
  return {
    extractor: createModelExtractor({
      model,
      rules,
      concurrency,
      maxAnswerTokens,
      maxGroupTokens,
      price,
      budget,
      log,
      userName: choice.userName,
      checkFacts: choice.llmCheckFacts,
    }),
    judge: createModelJudge({ model, log }),
    noteReader: createModelNoteReader({ model, budget, log }),
    budget,
    callingClient,
  };
}

import { type ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type ChatModel, countTokens, createCircuitBreaker } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import { maskSecrets } from '@contextloom/retrieval/safety';
import type { EpisodeWindow } from '../domain/episodes.ts';
import type { Extraction, ExtractionContext, Extractor, Fact, RejectedFact, Usage } from '../domain/extractor.ts';
import { checkFacts, type Judgement } from '../domain/grounding/check-facts.ts';
import { isChinese } from '../domain/grounding/script.ts';
import { sumUsage } from '../domain/usage.ts';
import type { WindowTurn } from '../domain/window-turns.ts';
import { type PromptMaterial, toExtractionMessages } from '../prompts/extraction-prompt.ts';
import { type AskOptions, askModel, type Reading } from './ask-model.ts';
import { resolveDoubts } from './ask-support.ts';
import { toReadableTurns } from './readable-turns.ts';

/** What an extractor that asks a model is made of. */
export interface ModelExtractorOptions {
  readonly model: ChatModel;
  /** Rates the episodes, which need no model. */
  readonly rules: Extractor;
  /** Windows read at once. */
  readonly concurrency: number;
  /** Most tokens of an answer; 4,000 unless told otherwise. */
  readonly maxAnswerTokens?: number | undefined;
  readonly price: NonNullable<Extractor['price']>;
  readonly log: Log;
}

/** A breaker opens for errors of ours alone. */
const toReason = (error: unknown): string =>
  isContextloomError(error) ? error.message : 'the model could not be asked';

/** What the tokens of an answer are guessed at: two or three facts. */
const GUESSED_ANSWER_TOKENS = 250;

/** The turns that facts are to be drawn from. */
function toUnreadTurns({ turns }: EpisodeWindow, { known = 0 }: ExtractionContext): readonly WindowTurn[] {
  return toReadableTurns(turns.slice(known));
}

function toMaterial(
  window: EpisodeWindow,
  { previous, speakers, known = 0 }: ExtractionContext,
  turns: readonly WindowTurn[],
): PromptMaterial {
  return {
    language: isChinese(turns.map(({ text }) => text).join('\n')) ? 'zh' : 'en',
    date: window.date,
    speakers,
    before: toReadableTurns(known > 0 ? window.turns.slice(0, known) : (previous?.turns ?? [])),
    turns,
  };
}

/** Reads the two halves of a window, each once: what spoils the answer to the whole may stand in one of them. */
async function readHalves(
  model: ChatModel,
  material: PromptMaterial,
  whole: Reading,
  options: AskOptions,
): Promise<Reading> {
  const middle = Math.ceil(material.turns.length / 2);
  const [first, second] = [material.turns.slice(0, middle), material.turns.slice(middle)];
  if (second.length === 0) return whole;
  const halves = [
    await askModel(model, { ...material, turns: first }, { ...options, repairs: 0 }),
    await askModel(model, { ...material, before: first, turns: second }, { ...options, repairs: 0 }),
  ];
  const problem = halves.find((half) => half.problem !== undefined)?.problem;
  return {
    drafts: halves.flatMap(({ drafts }) => drafts),
    malformed: halves.flatMap(({ malformed }) => malformed),
    ...(problem !== undefined && { problem }),
  };
}

/** A fact without secrets; a tag that holds one is left out. */
function toMasked(fact: Fact): Fact {
  return {
    ...fact,
    content: maskSecrets(fact.content).text,
    tags: fact.tags.filter((tag) => maskSecrets(tag).masked.length === 0),
  };
}

const toMaskedRejection = (rejected: RejectedFact): RejectedFact => ({
  ...rejected,
  content: maskSecrets(rejected.content).text,
  reason: maskSecrets(rejected.reason).text,
});

function toJudged({ facts, rejected }: Judgement, reading: Reading) {
  const malformed = reading.malformed.map(({ content, problem }) => ({
    content,
    reason: `not in the form asked for: ${problem}`,
  }));
  return { facts: facts.map(toMasked), rejected: [...rejected, ...malformed].map(toMaskedRejection) };
}

/**
 * The extractor that asks a model for facts: one call a window, a second one when the answer has not the form asked for, then
 * its halves. What it answers is judged by rules; what the model cannot be asked for is left for a later run.
 */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { model, rules, concurrency, maxAnswerTokens, price, log } = options;
  const breaker = createCircuitBreaker();

  const read = async (material: PromptMaterial, asking: AskOptions): Promise<Reading> => {
    const whole = await askModel(model, material, asking);
    return whole.problem === undefined || whole.drafts.length > 0 ? whole : readHalves(model, material, whole, asking);
  };
  const giveUp = (error: ContextloomError): Pick<Extraction, 'facts' | 'failure'> => {
    log.warn({ cause: error }, 'the model could not be asked; the episode is saved without facts');
    return { facts: [], failure: { of: 'model', reason: error.message } };
  };
  const draw = async (
    window: EpisodeWindow,
    context: ExtractionContext,
    signal: AbortSignal,
  ): Promise<Omit<Extraction, 'episode'>> => {
    const turns = toUnreadTurns(window, context);
    if (!turns.some(({ voice }) => voice === 'person')) return { facts: [] };
    const broken = breaker.openReason();
    if (broken !== undefined) return { facts: [], failure: { of: 'model', reason: toReason(broken) } };
    const used: Usage[] = [];
    const asking: AskOptions = { signal, maxAnswerTokens, onUsage: (usage) => used.push(usage) };
    try {
      const reading = await breaker.run(() => read(toMaterial(window, context, turns), asking));
      const guessed = reading.drafts.flatMap((draft) => draft.guessed ?? []);
      if (guessed.length > 0) log.info({ guessed }, 'facts were taken that are not in the form asked for');
      const failure = reading.problem === undefined ? undefined : ({ of: 'answer', reason: reading.problem } as const);
      const judged = checkFacts(reading.drafts, { ...window, turns }, context);
      const { language } = toMaterial(window, context, turns);
      const decided = await resolveDoubts(model, judged, { ...asking, date: window.date, language });
      return { ...toJudged(decided, reading), usage: sumUsage(used), ...(failure && { failure }) };
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      // Too long says something of this window alone, and will be so again.
      if (error.code === 'too_large') {
        return { facts: [], failure: { of: 'answer', reason: error.message }, usage: sumUsage(used) };
      }
      return { ...giveUp(error), usage: sumUsage(used) };
    }
  };
  return {
    info: { kind: 'model', name: model.model },
    concurrency,
    readsOn: true,
    extract: async (window, context, signal) => {
      const [{ episode }, drawn] = await Promise.all([
        rules.extract(window, context, signal),
        draw(window, context, signal),
      ]);
      return { episode, ...drawn };
    },
    estimate: (window, context) => estimate(window, context),
    price,
  };
}

/** The schema that is sent along, as most endpoints count it. */
const SCHEMA_TOKENS = 150;

function estimate(window: EpisodeWindow, context: ExtractionContext): Usage {
  const turns = toUnreadTurns(window, context);
  if (!turns.some(({ voice }) => voice === 'person')) return sumUsage([]);
  const messages = toExtractionMessages(toMaterial(window, context, turns));
  const tokens = messages.reduce((sum, { content }) => sum + countTokens(content) + 4, SCHEMA_TOKENS);
  return { calls: 1, inputTokens: tokens, outputTokens: GUESSED_ANSWER_TOKENS };
}

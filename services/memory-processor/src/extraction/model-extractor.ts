import { type ContextloomError, isContextloomError, LANGUAGES } from '@contextloom/contracts';
import { detectMainLanguage, wordsOf } from '@contextloom/languages';
import { type ChatModel, countTokens, createCircuitBreaker } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { maskSecrets } from '@contextloom/safety';
import type { ModelBudget } from '../domain/budget/model-budget.ts';
import type {
  Extraction,
  ExtractionContext,
  Extractor,
  Fact,
  RejectedFact,
  Usage,
  WindowGroup,
} from '../domain/extractor.ts';
import { checkFacts, type Judgement } from '../domain/grounding/check-facts.ts';
import { sumUsage } from '../domain/usage.ts';
import type { EpisodeWindow } from '../domain/windows/episodes.ts';
import type { WindowTurn } from '../domain/windows/window-turns.ts';
import { type PromptMaterial, toExtractionMessages } from '../prompts/extraction-prompt.ts';
import { type AskOptions, askModel, type Reading } from './ask-model.ts';
import { checkByAsking, type FactCheck } from './ask-support.ts';
import { toNamed } from './named-user.ts';
import { toShares, toWhole } from './window-groups.ts';

const headings = LANGUAGES.map((language) => wordsOf(language).prompt.memories[0].replace(/[[\]]/gu, '\\$&')).join('|');
/** The section that recalled memories are put under, in any language, up to the line that ends it or the end of the text. */
const RECALLED = new RegExp(`(?:${headings})[\\s\\S]*?(?:\\n\\s*---\\s*(?:\\n|$)|$)`, 'gu');

/** Turns as a model may read them: without memories that were recalled for the assistant, which nobody said. */
function toReadableTurns(turns: readonly WindowTurn[]): readonly WindowTurn[] {
  return turns
    .filter(({ voice }) => voice !== 'system')
    .map((turn) => ({ ...turn, text: turn.text.replace(RECALLED, ' ').trim() }))
    .filter(({ text }) => text !== '');
}

/** What an extractor that asks a model is made of. */
export interface ModelExtractorOptions {
  readonly model: ChatModel;
  /** Rates the episodes, which need no model. */
  readonly rules: Extractor;
  /** Windows read at once. */
  readonly concurrency: number;
  /** Most tokens of windows that are read in one call; each window by itself when absent or 0. */
  readonly maxGroupTokens?: number | undefined;
  /** Most tokens of an answer; 4,000 by default. */
  readonly maxAnswerTokens?: number | undefined;
  /** Which facts the model is asked about a second time; `all` by default. */
  readonly checkFacts?: FactCheck | undefined;
  /** What a person is called in facts who speaks as `user` alone. */
  readonly userName?: string | undefined;
  readonly price: NonNullable<Extractor['price']>;
  /** Bounds what the model is asked for; without it nothing does. */
  readonly budget?: Pick<ModelBudget, 'refuse'> | undefined;
  readonly log: Log;
}

/** A breaker opens for errors of ours alone. */
const toReason = (error: unknown): string =>
  isContextloomError(error) ? error.message : 'the model could not be asked';

type Drawn = Omit<Extraction, 'episode'>;

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
    language: detectMainLanguage(turns.map(({ text }) => text).join('\n')),
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
 * The extractor that asks a model for facts: one call a window, a second one when the answer does not have the requested form, then
 * its halves. What it answers is held against what was said, and the model is asked whether it was said; what the model cannot be
 * asked for is left for a later run.
 */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { model, rules, concurrency, maxAnswerTokens, maxGroupTokens = 0, userName, price, log } = options;
  const { checkFacts: check = 'all', budget } = options;
  const breaker = createCircuitBreaker();

  const read = async (material: PromptMaterial, asking: AskOptions, isGroup: boolean): Promise<Reading> => {
    const whole = await askModel(model, material, asking);
    // Of a group that cannot be read, each window is read by itself.
    if (isGroup) return whole;
    return whole.problem === undefined || whole.drafts.length > 0 ? whole : readHalves(model, material, whole, asking);
  };
  const giveUp = (error: ContextloomError): Pick<Extraction, 'facts' | 'failure'> => {
    log.warn({ cause: error }, 'the model could not be asked; the episode is saved without facts');
    return { facts: [], failure: { of: 'model', reason: error.message } };
  };
  /** Why the model is not asked for lack of a budget; what a budget cannot tell is not spent. */
  const refuse = async (): Promise<Extraction['failure']> => {
    try {
      const refusal = await budget?.refuse();
      return refusal && { of: 'model', ...refusal };
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      return giveUp(error).failure;
    }
  };
  const draw = async (
    given: EpisodeWindow,
    around: ExtractionContext,
    signal: AbortSignal,
    isGroup = false,
  ): Promise<Drawn> => {
    const { window, context, toText } = toNamed(given, around, userName);
    const turns = toUnreadTurns(window, context);
    if (!turns.some(({ voice }) => voice === 'person')) return { facts: [] };
    const broken = breaker.openReason();
    if (broken !== undefined) return { facts: [], failure: { of: 'model', reason: toReason(broken) } };
    const refusal = await refuse();
    if (refusal !== undefined) return { facts: [], failure: refusal };
    const used: Usage[] = [];
    const asking: AskOptions = { signal, maxAnswerTokens, onUsage: (usage) => used.push(usage) };
    try {
      const { reading, judged, problem } = await breaker.run(async () => {
        const material = toMaterial(window, context, turns);
        const reading = await read(material, asking, isGroup);
        const drafts = reading.drafts.map((draft) => ({ ...draft, content: toText(draft.content) }));
        const judged = checkFacts(drafts, { ...window, turns }, context);
        const { date, language } = material;
        return { reading, ...(await checkByAsking(model, judged, { ...asking, date, language, check })) };
      });
      const guessed = reading.drafts.flatMap((draft) => draft.guessed ?? []);
      if (guessed.length > 0) log.info({ guessed }, 'facts were taken that are not in the form asked for');
      const reason = reading.problem ?? problem;
      const failure = reason === undefined ? undefined : ({ of: 'answer', reason } as const);
      return { ...toJudged(judged, reading), usage: sumUsage(used), ...(failure && { failure }) };
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      // Too long says something of this window alone, and will be so again.
      if (error.code === 'too_large') {
        return { facts: [], failure: { of: 'answer', reason: error.message }, usage: sumUsage(used) };
      }
      return { ...giveUp(error), usage: sumUsage(used) };
    }
  };
  const groups = new WeakMap<WindowGroup, Promise<ReadonlyMap<EpisodeWindow, Drawn>>>();
  /** Reads a group once, whichever of its windows comes first; one that cannot be read as a whole, window by window. */
  const drawGroup = async (group: WindowGroup, signal: AbortSignal): Promise<ReadonlyMap<EpisodeWindow, Drawn>> => {
    const whole = await draw(toWhole(group), group.first, signal, true);
    if (whole.failure === undefined || whole.facts.length > 0 || whole.failure.of === 'model')
      return toShares(group, whole);
    const { usage } = whole;
    const each = new Map<EpisodeWindow, Drawn>();
    for (const [at, window] of group.windows.entries()) {
      const previous = at === 0 ? group.first.previous : group.windows[at - 1];
      // A model that answers nothing of use to two of them will not to the others; a refusal is about one alone.
      const isHopeless =
        at >= 2 && [...each.values()].every((one) => one.failure !== undefined && !/refused/u.test(one.failure.reason));
      const drawn = isHopeless
        ? { facts: [], failure: whole.failure }
        : await draw(window, { ...group.first, previous }, signal);
      each.set(window, at === 0 ? { ...drawn, usage: sumUsage([usage, drawn.usage]) } : drawn);
    }
    return each;
  };
  const drawOf = async (window: EpisodeWindow, context: ExtractionContext, signal: AbortSignal): Promise<Drawn> => {
    const { group } = context;
    if (group === undefined) return draw(window, context, signal);
    const reading = groups.get(group) ?? drawGroup(group, signal);
    groups.set(group, reading);
    return (await reading).get(window) ?? { facts: [] };
  };
  return {
    info: { kind: 'model', name: model.model },
    concurrency,
    maxGroupTokens,
    readsOn: true,
    extract: async (window, context, signal) => {
      const [{ episode }, drawn] = await Promise.all([
        rules.extract(window, context, signal),
        drawOf(window, context, signal),
      ]);
      return { episode, ...drawn };
    },
    estimate: (window, context) => estimate(window, context, { userName, check }),
    price,
  };
}

/** The schema that is sent along, as most endpoints count it. */
const SCHEMA_TOKENS = 150;

/**
 * What the second question is guessed at: its instructions with the schema, and for each token of dialogue those of the turns
 * and claims in it. Measured on sessions of LoCoMo with true facts as answers, as `bench/tokens.mjs` tells.
 */
const GUESSED_CHECK = { fixed: 140, shares: { doubtful: 0.1, all: 0.95 }, output: { doubtful: 10, all: 60 } } as const;

function estimate(
  one: EpisodeWindow,
  around: ExtractionContext,
  { userName, check }: { readonly userName: string | undefined; readonly check: FactCheck },
): Usage {
  const whole = around.group === undefined ? one : toWhole(around.group);
  const { window, context } = toNamed(whole, around, userName);
  const turns = toUnreadTurns(window, context);
  if (!turns.some(({ voice }) => voice === 'person')) return sumUsage([]);
  const messages = toExtractionMessages(toMaterial(window, context, turns));
  const tokens = messages.reduce((sum, { content }) => sum + countTokens(content) + 4, SCHEMA_TOKENS);
  const said = turns.reduce((sum, { speaker, text }) => sum + countTokens(`${speaker}: ${text}`) + 1, 0);
  const first = { calls: 1, inputTokens: tokens, outputTokens: GUESSED_ANSWER_TOKENS };
  if (check === 'off') return first;
  const { fixed, shares, output } = GUESSED_CHECK;
  const checked = fixed + Math.round(said * shares[check]);
  return sumUsage([first, { calls: 1, inputTokens: checked, outputTokens: output[check] }]);
}

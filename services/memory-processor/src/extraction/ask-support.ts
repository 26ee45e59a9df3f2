import { isContextloomError } from '@contextloom/contracts';
import type { ChatModel } from '@contextloom/llm';
import type { Moment } from '@contextloom/retrieval/time';
import type { Usage } from '../domain/extractor.ts';
import {
  askedVerdictsSchema,
  readVerdicts,
  type SupportVerdict,
  verdictsSchema,
} from '../domain/grounding/answer/verdicts.ts';
import type { DoubtfulFact, Judgement } from '../domain/grounding/check-facts.ts';
import type { Doubt } from '../domain/grounding/doubt.ts';
import type { WindowTurn } from '../domain/windows/window-turns.ts';
import { toSupportMessages } from '../prompts/support-prompt.ts';

const MAX_ANSWER_TOKENS = 1_500;
/** Most facts that are asked about at once; those after them stay as rules have it. */
const MAX_CLAIMS = 40;

const shape = { name: 'verdicts', schema: verdictsSchema, asked: askedVerdictsSchema };

/** How a model is asked about doubtful facts. */
export interface SupportOptions {
  readonly date: Moment | undefined;
  readonly language: 'en' | 'zh';
  readonly signal: AbortSignal;
  /** Whether it is asked about all facts that rules keep, not only about the doubtful ones. */
  readonly checksAll?: boolean;
  /** Told of a call that was answered, whatever came of it. */
  readonly onUsage: (usage: Usage) => void;
}

/** The claims that a model has decided, by whether they were said; none when it cannot be asked or answers otherwise. */
async function ask(
  model: ChatModel,
  doubtful: readonly DoubtfulFact[],
  said: readonly WindowTurn[],
  { date, language, signal, onUsage }: SupportOptions,
): Promise<ReadonlyMap<DoubtfulFact | undefined, SupportVerdict>> {
  const claims = doubtful.map(({ fact }) => fact);
  const messages = toSupportMessages([{ claims, said, date }], language);
  try {
    const request = { messages, maxTokens: MAX_ANSWER_TOKENS, temperature: 0, signal };
    const answer = await model.completeJson(request, shape);
    onUsage({ calls: 1, inputTokens: answer.usage.input, outputTokens: answer.usage.output });
    const given = answer.kind === 'ok' ? answer.value : answer.part;
    const verdicts = given === undefined ? [] : [...readVerdicts(given, claims.length)];
    return new Map(verdicts.map(([claim, verdict]) => [doubtful[claim - 1], verdict]));
  } catch (error) {
    // The facts are paid for and stay as rules have it.
    if (!isContextloomError(error)) throw error;
    return new Map();
  }
}

const NOT_CHECKED: Doubt = { reason: 'not checked', isRefused: false };

/** The facts that a model is asked about: those in doubt first. */
function toAsked({ facts, doubtful }: Judgement, checksAll: boolean): readonly DoubtfulFact[] {
  const others = checksAll ? facts.filter((fact) => !doubtful.some((one) => one.fact === fact)) : [];
  return [...doubtful, ...others.map((fact) => ({ fact, doubt: NOT_CHECKED }))].slice(0, MAX_CLAIMS);
}

/** Asks a model once about all facts that rules cannot decide, and decides them as it says. */
export async function resolveDoubts(model: ChatModel, judged: Judgement, options: SupportOptions): Promise<Judgement> {
  const doubtful = toAsked(judged, options.checksAll === true);
  if (doubtful.length === 0) return judged;
  const verdicts = await ask(model, doubtful, judged.said, options);
  const decided = doubtful.filter((one) => verdicts.has(one));
  const texts = new Map(decided.map((one) => [one.fact.content.slice(0, 500), one]));
  const isSaid = (one: DoubtfulFact | undefined): boolean => verdicts.get(one) === 'supported';
  const added = decided.filter((one) => one.doubt.isRefused && isSaid(one)).map(({ fact }) => fact);
  const removed = decided.filter((one) => !one.doubt.isRefused && !isSaid(one));
  return {
    ...judged,
    facts: [...judged.facts.filter((fact) => !removed.some((one) => one.fact === fact)), ...added],
    rejected: [
      ...judged.rejected.filter(({ content }) => !added.some((fact) => fact === texts.get(content)?.fact)),
      ...removed.map(({ fact: { content, importance } }) => ({
        content: content.slice(0, 500),
        importance,
        reason: 'not said',
      })),
    ],
    doubtful: judged.doubtful.filter((one) => !decided.includes(one)),
  };
}

import { isContextloomError, type Language } from '@contextloom/contracts';
import { type ChatModel, isOutage, type JsonAnswer } from '@contextloom/llm';
import type { Moment } from '@contextloom/retrieval/time';
import type { z } from 'zod';
import type { Fact, Usage } from '../domain/extractor.ts';
import {
  askedVerdictsSchema,
  readVerdicts,
  type SupportVerdict,
  verdictsSchema,
} from '../domain/grounding/answer/verdicts.ts';
import type { Judgement } from '../domain/grounding/check-facts.ts';
import type { WindowTurn } from '../domain/windows/window-turns.ts';
import { toSupportMessages } from '../prompts/support-prompt.ts';

/** Which facts a model is asked about a second time: none, those that the exact checks are not sure of, or all. */
export const FACT_CHECKS = ['off', 'doubtful', 'all'] as const;
/** One of these. */
export type FactCheck = (typeof FACT_CHECKS)[number];

const MAX_ANSWER_TOKENS = 1_500;
/** Most facts of one question; a session of the usual size has fewer. */
const MAX_CLAIMS = 100;
/** How often facts that got no verdict are asked about. */
const TRIES = 2;

const shape = { name: 'verdicts', schema: verdictsSchema, promptSchema: askedVerdictsSchema };

/** How a model is asked about facts. */
export interface SupportOptions {
  readonly date: Moment | undefined;
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Called for a call that was answered, whatever came of it. */
  readonly onUsage: (usage: Usage) => void;
}

type Verdicts = ReadonlyMap<Fact, SupportVerdict>;

/** The verdicts of one question; undefined when the model refuses to answer it, which it would do again. */
async function ask(
  model: ChatModel,
  facts: readonly Fact[],
  said: readonly WindowTurn[],
  { date, language, signal, onUsage }: SupportOptions,
): Promise<Verdicts | undefined> {
  const messages = toSupportMessages({ claims: facts, said, date }, language);
  let answer: JsonAnswer<z.output<typeof verdictsSchema>>;
  try {
    const request = { messages, maxTokens: MAX_ANSWER_TOKENS, temperature: 0, signal };
    answer = await model.completeJson(request, shape);
  } catch (error) {
    // An outage passes: the window waits for it. What the endpoint does not take now it will not take later.
    if (!isContextloomError(error) || isOutage(error)) throw error;
    return undefined;
  }
  onUsage({ calls: 1, inputTokens: answer.usage.input, outputTokens: answer.usage.output });
  if (answer.kind === 'refused') return undefined;
  const given = answer.kind === 'ok' ? answer.value : answer.part;
  const verdicts = given === undefined ? [] : [...readVerdicts(given, facts.length)];
  return new Map(
    verdicts.flatMap(([claim, verdict]) => {
      const fact = facts[claim - 1];
      return fact === undefined ? [] : [[fact, verdict] as const];
    }),
  );
}

/**
 * Asks a model whether the turns say these facts, and once more about those that it gave no verdict on.
 * @throws ContextloomError when the model cannot be reached
 */
async function askVerdicts(
  model: ChatModel,
  facts: readonly Fact[],
  said: readonly WindowTurn[],
  options: SupportOptions,
): Promise<Verdicts> {
  const verdicts = new Map<Fact, SupportVerdict>();
  for (let from = 0; from < facts.length; from += MAX_CLAIMS) {
    let open: readonly Fact[] = facts.slice(from, from + MAX_CLAIMS);
    for (let tries = 0; tries < TRIES && open.length > 0; tries += 1) {
      const answer = await ask(model, open, said, options);
      if (answer === undefined) break;
      for (const [fact, verdict] of answer) verdicts.set(fact, verdict);
      open = open.filter((fact) => !verdicts.has(fact));
    }
  }
  return verdicts;
}

/** The facts that the model is asked about. */
function toAsked({ facts, doubtful }: Judgement, check: FactCheck): readonly Fact[] {
  const inDoubt = doubtful.map(({ fact }) => fact);
  if (check === 'all') return [...new Set([...facts, ...inDoubt])];
  return check === 'doubtful' ? inDoubt : [];
}

/** Decides judged facts as verdicts say; without one the exact checks decide. */
function decide(judged: Judgement, verdicts: Verdicts): Judgement {
  const isDenied = (fact: Fact): boolean => (verdicts.get(fact) ?? 'supported') !== 'supported';
  const freed = judged.doubtful.filter(({ fact, rejected }) => rejected && verdicts.get(fact) === 'supported');
  const isFreed = (one: Judgement['rejected'][number]): boolean => freed.some(({ rejected }) => rejected === one);
  const denied = judged.facts.filter(isDenied).map(({ content, importance }) => ({
    content: content.slice(0, 500),
    importance,
    reason: 'not said',
  }));
  return {
    ...judged,
    facts: [...judged.facts.filter((fact) => !isDenied(fact)), ...freed.map(({ fact }) => fact)],
    rejected: [...judged.rejected.filter((one) => !isFreed(one)), ...denied],
  };
}

/** What became of facts that a model was asked about. */
export interface CheckedFacts {
  readonly judged: Judgement;
  /** Set when it gave no verdict on some of them. */
  readonly problem?: string;
}

/**
 * Asks a model whether facts were said, in one short question, and decides them as it says.
 * @throws ContextloomError when the model cannot be reached
 */
export async function checkByAsking(
  model: ChatModel,
  judged: Judgement,
  { check, ...options }: SupportOptions & { readonly check: FactCheck },
): Promise<CheckedFacts> {
  const openClaims = toAsked(judged, check);
  if (openClaims.length === 0) return { judged };
  const verdicts = await askVerdicts(model, openClaims, judged.said, options);
  const missing = openClaims.length - verdicts.size;
  const problem = `the model gave no verdict on ${missing} of ${openClaims.length} facts, which only exact checks have decided`;
  return { judged: decide(judged, verdicts), ...(missing > 0 && { problem }) };
}

import { toComparableText } from '@contextloom/retrieval';
import type { Asking } from './asking.ts';
import { createExcerpts, type Excerpts } from './excerpts/choose-excerpts.ts';
import type { FoundMemory } from './memories.ts';
import { type ToldMemory, toToldText } from './told-memories.ts';

/**
 * The part of a token budget that facts may fill, as long as there are episodes for the rest. On five LoCoMo conversations
 * with 1,210 facts, episodes told whole (questions with evidence told at 800 and 1,600 tokens): .884 and .932 at a fifth, .892
 * and .930 at a third, .886 and .932 at two fifths; without facts .845 and .911. With excerpts of episodes .878 and .921 at a third.
 */
const FACT_SHARE = 1 / 3;

/** How much a prompt has room for; what is absent does not limit. */
export interface MemoryLimits {
  /** Most memories. */
  readonly topK?: number | undefined;
  /** Most tokens of all texts together. */
  readonly maxTokens?: number | undefined;
  /** Tokens of a text as the prompt tells it, its list mark included; needed by `maxTokens` alone. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** What is asked: in a budget of tokens, only what has to do with it is told of an episode. */
  readonly asking?: Asking | undefined;
}

/** The episode that a fact was drawn from; undefined of every other memory. */
function toEpisodeOf({ metadata }: FoundMemory): string | undefined {
  const { episode } = metadata;
  return typeof episode === 'string' ? episode : undefined;
}

/** Whether another fact has taken the place of this one. */
const isSuperseded = ({ metadata }: FoundMemory): boolean => typeof metadata['valid_to'] === 'string';

/** What may be told, each text once: of equal and nearly equal ones the first. */
function toDistinct(hits: readonly FoundMemory[]): readonly ToldMemory[] {
  const known = new Set<string>();
  return hits.flatMap((memory) => {
    const text = toToldText(memory);
    const comparable = toComparableText(text);
    if (isSuperseded(memory) || text.trim() === '' || known.has(comparable)) return [];
    known.add(comparable);
    return [{ memory, text }];
  });
}

/** Takes memories while there is room: what is too long is passed over, since a shorter one may fit. */
function selectWhole({ topK = Number.POSITIVE_INFINITY, maxTokens, countTokens = () => 0 }: MemoryLimits): Excerpts {
  const chosen = new Set<ToldMemory>();
  const budget = maxTokens ?? Number.POSITIVE_INFINITY;
  let used = 0;
  const take = (memories: readonly ToldMemory[], share = 1): void => {
    for (const memory of memories) {
      if (chosen.size >= topK) return;
      const tokens = chosen.has(memory) ? 0 : countTokens(memory.text);
      if (used + tokens > budget * share) continue;
      used += tokens;
      chosen.add(memory);
    }
  };
  return { take, told: () => new Map([...chosen].map((one) => [one, one.text])) };
}

/** Whole memories; in a budget of tokens, where something is asked, the turns of them that have to do with it. */
function createSelection(memories: readonly ToldMemory[], limits: MemoryLimits): Excerpts {
  const { topK = Number.POSITIVE_INFINITY, maxTokens, countTokens, asking } = limits;
  if (maxTokens === undefined || countTokens === undefined || asking === undefined) return selectWhole(limits);
  return createExcerpts(memories, asking, { topK, maxTokens, countTokens }) ?? selectWhole(limits);
}

/**
 * Chooses what a prompt tells of the hits of one search, best first, and keeps their order. Episodes, and memories that stand
 * alone, come before facts: a fact is a short line for what has no room in the words it was said in, so that one whose
 * episode is told is left out, and none takes the place of an episode. In a token budget facts get a third of it.
 */
export function chooseMemories(hits: readonly FoundMemory[], limits: MemoryLimits): readonly ToldMemory[] {
  const distinct = toDistinct(hits);
  const facts = distinct.filter(({ memory }) => toEpisodeOf(memory) !== undefined);
  const others = distinct.filter(({ memory }) => toEpisodeOf(memory) === undefined);
  const { told, take } = createSelection(distinct, limits);
  const withoutTold = (): readonly ToldMemory[] => {
    const ids = new Set([...told().keys()].map(({ memory }) => memory.id));
    return facts.filter(({ memory }) => !ids.has(toEpisodeOf(memory) ?? ''));
  };
  take(others, facts.length === 0 ? 1 : 1 - FACT_SHARE);
  take(withoutTold());
  take(others);
  const last = new Set(withoutTold());
  const texts = told();
  return distinct.flatMap((one) => {
    const text = texts.get(one);
    const isTold = toEpisodeOf(one.memory) === undefined || last.has(one);
    return text === undefined || !isTold ? [] : [{ memory: one.memory, text }];
  });
}

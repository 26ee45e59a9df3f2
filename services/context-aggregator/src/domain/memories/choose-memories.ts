import { toComparableText } from '@contextloom/retrieval';
import type { Asking } from './asking.ts';
import { createExcerpts, type Excerpts } from './choose-excerpts.ts';
import { toFactEvidence } from './fact-evidence.ts';
import { findMarks, type Marks, withMarks } from './marks.ts';
import type { FoundMemory } from './memories.ts';
import { type PromptMemory, toPromptText } from './prompt-memories.ts';

/**
 * The part of a token budget that facts may fill, as long as there are episodes for the rest. On five LoCoMo conversations
 * with 1,210 facts, questions with evidence included at 800 and 1,600 tokens: .892 and .930 at a quarter, .896 and .933 at a fifth,
 * .895 and .930 at .15; included word for word .871 and .908 at a fifth, .857 and .897 at a third; without facts .866 and .907.
 */
const FACT_SHARE = 1 / 5;

/** How much a prompt has room for; what is absent does not limit. */
export interface MemoryLimits {
  /** Most memories. */
  readonly topK?: number | undefined;
  /** Most tokens of all texts together. */
  readonly maxTokens?: number | undefined;
  /** Tokens of a text as the prompt tells it, its list mark included; needed by `maxTokens` alone. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** The question: within a token budget only the turns of an episode that match it are shown. */
  readonly asking?: Asking | undefined;
  /** Most tokens, where it is doubtful whether the memories answer. */
  readonly most?: { readonly tokens: number } | undefined;
  /** What is over by facts that took the place of others. */
  readonly superseded?: Marks | undefined;
  /** Where the user's days begin, an IANA time zone; `UTC` by default. */
  readonly zone?: string | undefined;
}

/** Whether another fact has taken the place of this one. */
const isSuperseded = ({ metadata }: FoundMemory): boolean => typeof metadata['valid_to'] === 'string';

/** What may be included, each text once: of equal and nearly equal ones the first. */
function toDistinct(hits: readonly FoundMemory[], zone: string | undefined): readonly PromptMemory[] {
  const known = new Set<string>();
  return hits.flatMap((memory) => {
    const text = toPromptText(memory, zone);
    const comparable = toComparableText(text);
    if (isSuperseded(memory) || text.trim() === '' || known.has(comparable)) return [];
    known.add(comparable);
    return [{ memory, text }];
  });
}

/** Tells in each memory what of it is over: by facts that were superseded, else by what was said later in so many words. */
function markReplaced(
  memories: readonly PromptMemory[],
  { superseded, asking, zone }: MemoryLimits,
): readonly PromptMemory[] {
  const bySaying = findMarks(memories, { names: asking?.names, zone });
  return memories.map((one) => {
    const { id } = one.memory;
    return withMarks(one, new Map([...(bySaying.get(id) ?? []), ...(superseded?.get(id) ?? [])]));
  });
}

/** Memories with those that tell what is so now before those that tell what was so. */
function newestFirst(memories: readonly PromptMemory[]): readonly PromptMemory[] {
  const byId = new Map(memories.map((one) => [one.memory.id, one]));
  const placed = new Set<PromptMemory>();
  for (const one of memories) {
    for (const { by } of one.marks?.values() ?? []) {
      const newer = byId.get(by.memory);
      if (newer !== undefined) placed.add(newer);
    }
    placed.add(one);
  }
  return [...placed];
}

/** Takes memories while there is room: what is too long is passed over, since a shorter one may fit. */
function selectWhole({ topK = Number.POSITIVE_INFINITY, maxTokens, countTokens = () => 0 }: MemoryLimits): Excerpts {
  const chosen = new Set<PromptMemory>();
  const budget = maxTokens ?? Number.POSITIVE_INFINITY;
  let used = 0;
  const take = (memories: readonly PromptMemory[], share = 1): void => {
    for (const memory of memories) {
      if (chosen.size >= topK) return;
      const tokens = chosen.has(memory) ? 0 : countTokens(memory.text);
      if (used + tokens > budget * share) continue;
      used += tokens;
      chosen.add(memory);
    }
  };
  return {
    take,
    included: () => new Map([...chosen].map((one) => [one, one.text])),
    tells: ({ episode }) => [...chosen].some(({ memory }) => memory.id === episode),
  };
}

/** Whole memories; in a budget of tokens, where something is asked, the passages of them that have to do with it. */
function createSelection(memories: readonly PromptMemory[], limits: MemoryLimits): Excerpts {
  const { topK = Number.POSITIVE_INFINITY, countTokens, asking, most } = limits;
  const budgets = [limits.maxTokens, most?.tokens].filter((tokens) => tokens !== undefined);
  if (budgets.length === 0 || countTokens === undefined || asking === undefined) return selectWhole(limits);
  const within = { topK, maxTokens: Math.min(...budgets), countTokens };
  return createExcerpts(memories, asking, within) ?? selectWhole(limits);
}

/**
 * Chooses what a prompt tells of the hits of one search, best first, and keeps their order. Episodes, and memories that stand
 * alone, come before facts: a fact is a short line for what has no room in the words it was said in, so that one whose words
 * are shown is left out, and no fact replaces an episode. In a token budget facts get a part of it.
 */
export function chooseMemories(hits: readonly FoundMemory[], limits: MemoryLimits): readonly PromptMemory[] {
  const distinct = markReplaced(toDistinct(hits, limits.zone), limits);
  const evidenceOf = new Map(distinct.map((one) => [one, toFactEvidence(one.memory)]));
  const others = newestFirst(distinct.filter((one) => evidenceOf.get(one) === undefined));
  const { included, take, tells } = createSelection(distinct, limits);
  const isFactToTell = (one: PromptMemory): boolean => {
    const evidence = evidenceOf.get(one);
    return evidence !== undefined && !tells(evidence);
  };
  take(others, others.length === distinct.length ? 1 : 1 - FACT_SHARE);
  take(distinct.filter(isFactToTell));
  take(others);
  const texts = included();
  return distinct.flatMap((one) => {
    const text = texts.get(one);
    // What was included of episodes last may have said facts that were taken before.
    return text === undefined || !(others.includes(one) || isFactToTell(one)) ? [] : [{ ...one, text }];
  });
}

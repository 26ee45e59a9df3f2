import type { PromptOmission } from '@contextloom/contracts';
import { readQuestion } from '@contextloom/retrieval';
import { wordsAlone } from '@contextloom/retrieval/ranking';
import type { Guard } from '../firewall/guard.ts';
import type { Asking } from '../memories/asking.ts';
import { chooseMemories, type MemoryLimits } from '../memories/choose-memories.ts';
import type { FoundMemory } from '../memories/memories.ts';
import { type Place, toTime } from '../memories/order.ts';
import { isEpisode, toOwnTime } from '../memories/told-memories.ts';
import { type OfferedLine, toOmission } from './lines.ts';

/** Where memories come from, as their lines tell it. */
export interface MemoryOrigin {
  readonly source: string;
  readonly server: string;
}

/** Memories that a prompt may tell, and what was left out before. */
export interface Screened {
  readonly memories: readonly FoundMemory[];
  readonly leftOut: readonly PromptOmission[];
}

/** Where in its conversation a memory was said. */
function toPlace({ metadata: { sequence, position } }: FoundMemory): Place | undefined {
  return typeof sequence === 'string' && typeof position === 'number' ? { sequence, position } : undefined;
}

function toLine(memory: FoundMemory, text: string, origin: MemoryOrigin): OfferedLine {
  const time = toOwnTime(memory);
  const { id, score, relevance } = memory;
  return {
    ...{ text, ...origin, at: toTime(time), place: toPlace(memory) },
    ...(id !== '' && { id }),
    ...(score !== undefined && { score }),
    ...(relevance !== undefined && { relevance }),
    ...(time !== undefined && { time }),
  };
}

const leaveOut = (memory: FoundMemory, reason: PromptOmission['reason'], origin: MemoryOrigin): PromptOmission =>
  toOmission(toLine(memory, '', origin), reason);

/**
 * Whether hits have to do with what the user says: with a greeting none has, with anything else those of which one reaches the
 * floor of words. Only a knowledge base that tells the relevance of its results is held to it. By bench:prompt without a floor
 * for questions and with this one, questions about nothing that was said that bring 30 tokens or more: .93 and .20 (English),
 * 1.00 and .20 (Chinese); needed words .78 and .76, .89 and .84. On three conversations of LoCoMo no question of 351 loses its answer.
 */
function areRelevant(hits: readonly FoundMemory[], { query, names }: Asking): boolean {
  const known = hits.flatMap(({ relevance }) => relevance ?? []);
  if (query.trim() === '' || known.length < hits.length) return true;
  return !readQuestion(query, { names }).isEmpty && known.some((relevance) => relevance >= wordsAlone.minScore);
}

/** Leaves out what is not relevant, and makes data of the rest: nothing of a memory reaches a prompt but through here. */
export function screenMemories(
  hits: readonly FoundMemory[],
  { asking, origin, guard }: { readonly asking: Asking; readonly origin: MemoryOrigin; readonly guard: Guard },
): Screened {
  if (!areRelevant(hits, asking)) {
    return { memories: [], leftOut: hits.map((hit) => leaveOut(hit, 'not_relevant', origin)) };
  }
  const leftOut: PromptOmission[] = [];
  const memories = hits.flatMap((hit) => {
    const { text, held } = guard(hit.content, { hasSpeakers: isEpisode(hit) });
    if (held > 0 || text.trim() === '') leftOut.push(leaveOut(hit, held > 0 ? 'instruction' : 'empty', origin));
    return text.trim() === '' ? [] : [{ ...hit, content: text }];
  });
  return { memories, leftOut };
}

/** Chooses the lines that a prompt tells of screened memories, best first, and says which it does not. */
export function toMemoryLines(
  { memories, leftOut }: Screened,
  limits: MemoryLimits,
  origin: MemoryOrigin,
): { readonly lines: readonly OfferedLine[]; readonly leftOut: readonly PromptOmission[] } {
  const fitting = chooseMemories(memories, limits);
  // A first memory that is too long by itself is shown in part.
  const told = fitting.length > 0 ? fitting : chooseMemories(memories, { topK: 1, zone: limits.zone });
  const chosen = new Set(told.map(({ memory }) => memory));
  const others = memories.filter((memory) => !chosen.has(memory));
  return {
    lines: told.map(({ memory, text }) => toLine(memory, text, origin)),
    leftOut: [...leftOut, ...others.map((memory) => leaveOut(memory, 'not_chosen', origin))],
  };
}

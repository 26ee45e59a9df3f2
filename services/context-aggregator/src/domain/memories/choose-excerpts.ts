import { endsAsking, readQuestion, toComparableText } from '@contextloom/retrieval';
import type { Asking } from './asking.ts';
import { type FactEvidence, toFactEvidence } from './fact-evidence.ts';
import { type Candidate, liftNewest, liftStating, type Source } from './lift-newest.ts';
import { toTime } from './order.ts';
import { type MemoryPassages, type Passage, toExcerpt, toMemoryPassages } from './passages.ts';
import { type PromptMemory, toOwnTime } from './prompt-memories.ts';
import { type PassageScore, scorePassages } from './score-passages.ts';

/** The share of its memory's score that a passage has whatever its own words; the rest is by its relevance. */
const MEMORY_SHARE = 0.2;
/** What is left of a passage's score for each one of the same message that is included before it: a budget is spent on many messages. */
const SAME_MESSAGE = 0.5;

/** What limits excerpts. */
export interface ExcerptLimits {
  readonly topK: number;
  readonly maxTokens: number;
  /** Tokens of a line of a prompt. */
  readonly countTokens: (text: string) => number;
}

function toSources(memories: readonly PromptMemory[]): readonly Source[] {
  return memories.map((memory, rank) => ({
    memory,
    parts: toMemoryPassages(memory),
    // A knowledge base that tells no scores tells an order.
    score: memory.memory.score ?? 1 - rank / memories.length,
    time: toTime(toOwnTime(memory.memory)),
  }));
}

/**
 * Lifts the passages of the turns that say a fact to its relevance: a fact is a key to what was said, in words that those who ask may
 * share. Evidence included word for word at 800 and 1,600 tokens, without and with it: .845 and .888, .857 and .897.
 */
function liftByFacts(
  sources: readonly Source[],
  scores: readonly (readonly PassageScore[])[],
): readonly (readonly PassageScore[])[] {
  const placeOf = (at: string, turn: number): string => `${turn} ${at}`;
  const lifts = new Map<string, number>();
  sources.forEach(({ memory }, index) => {
    const evidence = toFactEvidence(memory.memory);
    const relevance = scores[index]?.[0]?.relevance ?? 0;
    for (const turn of evidence?.turns ?? []) {
      const place = placeOf(evidence?.episode ?? '', turn);
      lifts.set(place, Math.max(lifts.get(place) ?? 0, relevance));
    }
  });
  return scores.map((passages, index) =>
    passages.map((score, at) => {
      const { memory, parts } = sources[index] as Source;
      const lift = lifts.get(placeOf(memory.memory.id, parts.passages[at]?.turn ?? 0)) ?? 0;
      return { ...score, relevance: Math.max(score.relevance, lift) };
    }),
  );
}

/** The passages of memories, best first; undefined when nothing is looked for. */
function toCandidates(memories: readonly PromptMemory[], asking: Asking): readonly Candidate[] | undefined {
  const sources = toSources(memories);
  const scores = scorePassages(
    sources.map(({ parts }) => parts),
    asking,
  );
  if (scores === undefined) return undefined;
  const lifted = liftByFacts(sources, scores);
  const { isOfPast } = readQuestion(asking.query, asking);
  const candidates = sources.flatMap((source, index) =>
    (lifted[index] ?? []).map(({ relevance, voice }, at): Candidate => {
      return { source, at, score: source.score * (MEMORY_SHARE * voice + (1 - MEMORY_SHARE) * relevance) };
    }),
  );
  const stating = liftStating(liftNewest(candidates, isOfPast), asking);
  return spread([...stating].sort((a, b) => b.score - a.score));
}

/** Which message a passage is of: a long one stands in several memories that follow each other. */
function toMessage({ source: { memory, parts }, at }: Candidate): string {
  const { sequence, turns } = memory.memory.metadata;
  const turn = parts.passages[at]?.turn ?? 0;
  // A memory of one turn may be a part of a message; its source then names that turn alone.
  const isPart = parts.passages.every((one) => one.turn === 0) && typeof turns === 'string' && !turns.includes('-');
  return isPart ? `${turns} ${sequence}` : JSON.stringify([memory.memory.id, memory.text, turn]);
}

/** Passages in the order in which they are included: each further one of a message counts less, and what repeats another is left out. */
function spread(sorted: readonly Candidate[]): readonly Candidate[] {
  const said = new Set<string>();
  const times = new Map<string, number>();
  return sorted
    .flatMap((candidate): Candidate[] => {
      const text = toComparableText(candidate.source.parts.passages[candidate.at]?.text ?? '');
      if (text === '' || said.has(text)) return [];
      said.add(text);
      const message = toMessage(candidate);
      const before = times.get(message) ?? 0;
      times.set(message, before + 1);
      return [{ ...candidate, score: candidate.score * SAME_MESSAGE ** before }];
    })
    .sort((a, b) => b.score - a.score);
}

/** A passage with the question before it that it answers, and the answer after it if it asks, where these are short. */
function withPair({ passages }: MemoryPassages, at: number): readonly number[] {
  const isShort = ({ isFirst, isLast }: Passage): boolean => isFirst && isLast;
  const asks = (one: Passage | undefined, next: Passage | undefined): boolean =>
    one !== undefined &&
    next !== undefined &&
    [one, next].every(isShort) &&
    endsAsking(one.text) &&
    one.speaker !== next.speaker;
  const [before, own, after] = [passages[at - 1], passages[at], passages[at + 1]];
  return [...(asks(before, own) ? [at - 1] : []), at, ...(asks(own, after) ? [at + 1] : [])];
}

/** The excerpts of memories, and their cost in tokens. */
export interface Excerpts {
  /** Tells passages of memories, best first, while there is room in a share of the tokens; what is too long is passed over. */
  readonly take: (memories: readonly PromptMemory[], share?: number) => void;
  readonly included: () => ReadonlyMap<PromptMemory, string>;
  /** Whether the turns that state a fact are shown; if they are unknown, any turn of its episode. */
  readonly tells: (evidence: FactEvidence) => boolean;
}

/**
 * Begins a choice of passages in a budget of tokens: of a memory those that have to do with the question, and no question
 * without its answer, so that more memories have room than as a whole. Undefined when nothing is looked for.
 */
export function createExcerpts(
  all: readonly PromptMemory[],
  asking: Asking,
  { topK, maxTokens, countTokens }: ExcerptLimits,
): Excerpts | undefined {
  const candidates = toCandidates(all, asking);
  if (candidates === undefined) return undefined;
  const chosen = new Map<Source, readonly number[]>();
  let used = 0;
  const costOf = ({ parts }: Source, places: readonly number[]): number =>
    places.length === 0 ? 0 : countTokens(toExcerpt(parts, places));
  /** Whether a passage is too long by itself, which is counted once for all questions. */
  const isTooLong = ({ parts }: Source, at: number, limit: number): boolean =>
    countTokens(parts.passages[at]?.text ?? '') > limit;
  const take = (memories: readonly PromptMemory[], share = 1): void => {
    const wanted = new Set(memories);
    for (const { source, at } of candidates) {
      const before = chosen.get(source) ?? [];
      if (!wanted.has(source.memory) || before.includes(at) || (before.length === 0 && chosen.size >= topK)) continue;
      const limit = maxTokens * share - used;
      if (isTooLong(source, at, limit)) continue;
      const after = [...new Set([...before, ...withPair(source.parts, at)])].sort((a, b) => a - b);
      const cost = costOf(source, after) - costOf(source, before);
      if (cost > limit) continue;
      used += cost;
      chosen.set(source, after);
    }
  };
  const included = () => new Map([...chosen].map(([{ memory, parts }, places]) => [memory, toExcerpt(parts, places)]));
  const tells = ({ episode, turns }: FactEvidence): boolean =>
    [...chosen].some(([{ memory, parts }, places]) => {
      const shown = new Set(places.map((at) => parts.passages[at]?.turn));
      return memory.memory.id === episode && turns.every((turn) => shown.has(turn));
    });
  return { take, included, tells };
}

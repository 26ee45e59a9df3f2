import { endsAsking, readQuestion } from '@contextloom/retrieval';
import type { Asking } from './asking.ts';
import { countGaps, type EpisodeTurns, toEpisodeTurns, toExcerpt } from './episode-turns.ts';
import { type FactEvidence, toFactEvidence } from './fact-evidence.ts';
import { toTime } from './order.ts';
import { isEpisode, type ToldMemory, toOwnTime } from './told-memories.ts';
import { type WeighedTurn, weighTurns } from './weigh-turns.ts';

/**
 * The share of its episode's score that a turn has whatever its own words; the rest is by its relevance. Evidence at 530
 * tokens, with whole episodes, and with excerpts at .1, .2 and .6: .791, .832, .834 and .829 (five of LoCoMo), .619, .742,
 * .730 and .717 (town.en).
 */
const EPISODE_SHARE = 0.2;
/**
 * What the newest turn gains in a search for how things are now, the oldest nothing, by the square of its place in the order
 * of time. By bench:prompt without and with it, the current state last: .80 and .95 (English), .95 and .95 (Chinese).
 */
const NEWNESS = 0.1;

/** A memory whose turns may be told. */
interface Source {
  readonly memory: ToldMemory;
  readonly parts: EpisodeTurns;
  /** How well its memory fits, 0 to 1. */
  readonly score: number;
  readonly time: number | undefined;
}

/** A turn that may be told, and how well it fits. */
interface Candidate {
  readonly source: Source;
  readonly at: number;
  readonly score: number;
}

/** What limits excerpts. */
export interface ExcerptLimits {
  readonly topK: number;
  readonly maxTokens: number;
  /** Tokens of a line of a prompt. */
  readonly countTokens: (text: string) => number;
}

function toSource(memory: ToldMemory, rank: number, of: number): Source {
  const parts = isEpisode(memory.memory)
    ? toEpisodeTurns(memory.text)
    : { header: undefined, turns: [{ speaker: undefined, text: memory.text }] };
  // A knowledge base that tells no scores tells an order.
  const score = memory.memory.score ?? 1 - rank / of;
  return { memory, parts, score, time: toTime(toOwnTime(memory.memory)) };
}

/** What turns gain for their time. */
function createGain(sources: readonly Source[], isOfNow: boolean): (source: Source) => number {
  const times = [...new Set(sources.flatMap(({ time }) => time ?? []))].sort((a, b) => a - b);
  const places = new Map(times.map((time, at) => [time, at / Math.max(1, times.length - 1)]));
  return ({ time }) => (isOfNow && time !== undefined ? NEWNESS * (places.get(time) ?? 0) ** 2 : 0);
}

/**
 * Lifts the turns that say a fact to its relevance: a fact is a key to what was said, in words that those who ask may share.
 * Evidence told word for word at 800 and 1,600 tokens, without and with it: .845 and .888, .857 and .897.
 */
function liftByFacts(
  sources: readonly Source[],
  weighed: readonly (readonly WeighedTurn[])[],
): readonly (readonly WeighedTurn[])[] {
  const placeOf = (at: string, turn: number): string => `${turn} ${at}`;
  const lifts = new Map<string, number>();
  sources.forEach(({ memory }, index) => {
    const evidence = toFactEvidence(memory.memory);
    const relevance = weighed[index]?.[0]?.relevance ?? 0;
    for (const turn of evidence?.turns ?? []) {
      const place = placeOf(evidence?.episode ?? '', turn);
      lifts.set(place, Math.max(lifts.get(place) ?? 0, relevance));
    }
  });
  return weighed.map((turns, index) =>
    turns.map((turn, at) => {
      const lift = lifts.get(placeOf(sources[index]?.memory.memory.id ?? '', at)) ?? 0;
      return { ...turn, relevance: Math.max(turn.relevance, lift) };
    }),
  );
}

/** The turns of memories, best first; undefined when nothing is looked for. */
function toCandidates(memories: readonly ToldMemory[], asking: Asking): readonly Candidate[] | undefined {
  const sources = memories.map((memory, at) => toSource(memory, at, memories.length));
  const weighed = weighTurns(
    sources.map(({ parts }) => parts.turns),
    asking,
  );
  if (weighed === undefined) return undefined;
  const lifted = liftByFacts(sources, weighed);
  const gainOf = createGain(sources, readQuestion(asking.query, asking).isOfNow);
  return sources
    .flatMap((source, index) =>
      (lifted[index] ?? []).map(({ relevance, voice }, at): Candidate => {
        const fit = source.score * (EPISODE_SHARE * voice + (1 - EPISODE_SHARE) * relevance);
        return { source, at, score: fit + gainOf(source) * voice };
      }),
    )
    .sort((a, b) => b.score - a.score);
}

/** A turn with the question before it that it answers, and the answer after it if it asks. */
function withPair({ turns }: EpisodeTurns, at: number): readonly number[] {
  const asks = (place: number): boolean =>
    endsAsking(turns[place]?.text ?? '') && turns[place]?.speaker !== turns[place + 1]?.speaker;
  return [...(at > 0 && asks(at - 1) ? [at - 1] : []), at, ...(at + 1 < turns.length && asks(at) ? [at + 1] : [])];
}

/** The excerpts of memories, and their cost in tokens. */
export interface Excerpts {
  /** Tells turns of memories, best first, while there is room in a share of the tokens; what is too long is passed over. */
  readonly take: (memories: readonly ToldMemory[], share?: number) => void;
  readonly told: () => ReadonlyMap<ToldMemory, string>;
  /** Whether the turns that state a fact are shown; if they are unknown, any turn of its episode. */
  readonly tells: (evidence: FactEvidence) => boolean;
}

/**
 * Begins a choice of turns in a budget of tokens: of an episode those that have to do with what is asked, and no question
 * without its answer, so that more episodes have room than as a whole. Undefined when nothing is looked for.
 */
export function createExcerpts(
  all: readonly ToldMemory[],
  asking: Asking,
  { topK, maxTokens, countTokens }: ExcerptLimits,
): Excerpts | undefined {
  const candidates = toCandidates(all, asking);
  if (candidates === undefined) return undefined;
  const chosen = new Map<Source, readonly number[]>();
  const gapCost = countTokens('…');
  let used = 0;
  const costOf = ({ parts }: Source, before: readonly number[], after: readonly number[]): number => {
    const added = after.filter((at) => !before.includes(at));
    const words = added.reduce((sum, at) => sum + countTokens(parts.turns[at]?.text ?? ''), 0);
    const header = before.length > 0 || parts.header === undefined ? 0 : countTokens(parts.header);
    return header + words + gapCost * (countGaps(after) - countGaps(before));
  };
  const take = (memories: readonly ToldMemory[], share = 1): void => {
    const wanted = new Set(memories);
    for (const { source, at } of candidates) {
      const before = chosen.get(source) ?? [];
      if (!wanted.has(source.memory) || before.includes(at) || (before.length === 0 && chosen.size >= topK)) continue;
      const after = [...new Set([...before, ...withPair(source.parts, at)])].sort((a, b) => a - b);
      const cost = costOf(source, before, after);
      if (used + cost > maxTokens * share) continue;
      used += cost;
      chosen.set(source, after);
    }
  };
  const told = () => new Map([...chosen].map(([{ memory, parts }, turns]) => [memory, toExcerpt(parts, turns)]));
  const tells = ({ episode, turns }: FactEvidence): boolean =>
    [...chosen].some(
      ([{ memory }, places]) => memory.memory.id === episode && turns.every((turn) => places.includes(turn)),
    );
  return { take, told, tells };
}

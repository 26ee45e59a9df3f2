import type { PromptOmission } from '@contextloom/contracts';
import type { TextMeter } from '../../domain/composing/fit.ts';
import type { OfferedLine } from '../../domain/composing/lines.ts';
import {
  type MemoryOrigin,
  type Screened,
  screenMemories,
  toMemoryLines,
} from '../../domain/composing/memory-lines.ts';
import { toListItem } from '../../domain/composing/prompt.ts';
import type { Asking } from '../../domain/memories/asking.ts';
import { toFactEvidence } from '../../domain/memories/fact-evidence.ts';
import type { FoundMemory } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import type { Failure } from '../asking/failure.ts';
import { searchWithRecent } from './search-with-recent.ts';
import { findSuperseded } from './superseded.ts';

/** How many times as many memories are searched when some of the first are facts, or repeat others. */
const WIDER = 8;
/** Most memories of one search. */
const MAX_TOP_K = 100;
/** How many are searched for where tokens alone limit them: more episodes than fit into what people set. */
const TO_FILL_A_BUDGET = 24;
/** The memories of a prompt where nothing limits them. */
const DEFAULT_TOP_K = 3;

/** Whose memories, for what, and how many. */
export interface RecallRequest extends Asking {
  readonly userId: string;
  readonly topK?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** The question with what it follows on; undefined where nothing is looked for. */
  readonly searchQuery: string | undefined;
  readonly origin: MemoryOrigin;
}

/** What a prompt may tell of a user, best first, or why there is nothing. */
export type Recall =
  | { readonly kind: 'ok'; readonly lines: readonly OfferedLine[]; readonly leftOut: readonly PromptOmission[] }
  | Failure;

/**
 * The memories of a prompt: as many as were requested, without repeats. When there are some of these, more are
 * searched to choose from, if they are to be had within the deadline of the first search.
 */
export async function recallMemories(
  request: RecallRequest,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<Recall> {
  const { userId, query, searchQuery, names, maxTokens, origin } = request;
  const asking: Asking = { query: searchQuery ?? query, names };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(deps.deadlines.sourceMs)]);
  const topK = request.topK ?? (maxTokens === undefined ? DEFAULT_TOP_K : undefined);
  const searched = topK ?? TO_FILL_A_BUDGET;
  const limits = { topK, maxTokens, countTokens: toLineTokens(deps.meter), asking, zone: deps.zone };
  const toRecall = async (screened: Screened): Promise<Recall> => {
    const superseded = await findSuperseded(screened.memories, userId, deps, inTime);
    return { kind: 'ok', ...toMemoryLines(screened, { ...limits, superseded }, origin) };
  };
  const first = await searchWithRecent({ userId, query, searchQuery, topK: searched }, deps, signal);
  if (first.kind === 'failed') return first;
  const screening = { asking, origin, sanitize: deps.sanitize };
  const screened = screenMemories(first, screening);
  const recall = await toRecall(screened);
  const isAll = first.memories.length < searched || searched >= MAX_TOP_K;
  const isShort = topK !== undefined && hasTokensLeft(screened, recall);
  if (isAll || !(isShort || first.memories.some(isFact))) return recall;
  const wider = { userId, query, searchQuery, topK: Math.min(MAX_TOP_K, searched * WIDER) };
  const second = await searchWithRecent(wider, deps, inTime);
  return second.kind === 'failed' ? recall : toRecall(screenMemories(second, screening));
}

/** Counts the tokens of a text as a line of a prompt. */
const toLineTokens =
  ({ countTokens }: TextMeter) =>
  (text: string): number =>
    countTokens(`${toListItem(text)}\n`);

const isFact = (memory: FoundMemory): boolean => toFactEvidence(memory) !== undefined;

/** Whether memories took places that others might have: repeats, and what is not let into prompts. */
function hasTokensLeft({ memories, leftOut, most }: Screened, recall: Recall): boolean {
  if (most !== undefined) return false;
  const isHeld = leftOut.some(({ reason }) => reason !== 'not_relevant');
  return isHeld || (recall.kind === 'ok' && recall.lines.length < memories.length);
}

import type { Trust } from '@contextloom/contracts';
import { toLimit } from '../domain/composing/fit.ts';
import type { Frame } from '../domain/composing/frame.ts';
import type { SourceOffer, SourceStatus } from '../domain/composing/lines.ts';
import {
  type CallValues,
  isMemories,
  isSearch,
  type SectionEntry,
  toServer,
} from '../domain/context-sources/context-source.ts';
import type { SourceItem } from '../domain/context-sources/items.ts';
import type { AggregatorDeps } from './asking/deps.ts';
import { createFailure, type Failure } from './asking/failure.ts';
import { askDeclared, toDeclaredLines } from './declared/declared-source.ts';
import { KNOWLEDGE_BASE } from './memories/memory-source.ts';
import { recallMemories } from './memories/recall.ts';
import { AGENT_MEMORY } from './stores/agent.ts';
import { PERSONAL_MEMORY } from './stores/personal.ts';
import { TYPED_MEMORY } from './stores/typed.ts';

/** The call that sources answer. */
export interface Gathering {
  readonly values: CallValues & {
    readonly user_id: string;
    readonly user_query: string;
    readonly search_query?: string | undefined;
  };
  /** What the persona is called. */
  readonly names: readonly string[];
  readonly topK?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** What the prompt will have around its lines. */
  readonly frame: Frame;
}

type Offered = Pick<SourceOffer, 'lines' | 'leftOut'>;
const SPEAKERS: ReadonlyMap<string, Trust> = new Map([
  [PERSONAL_MEMORY, 'user'],
  [TYPED_MEMORY, 'user'],
  [AGENT_MEMORY, 'assistant'],
  [KNOWLEDGE_BASE, 'document'],
]);
const NOTHING: Offered = { lines: [], leftOut: [] };
type Answer<T> = { readonly kind: 'ok'; readonly value: T } | Failure;

/** The last good answer of a source in place of a failure, where it may serve so long. */
export async function withLastAnswer<T>(
  key: string,
  serveStaleS: number,
  { lastAnswers }: AggregatorDeps,
  ask: () => Promise<Answer<T>>,
): Promise<{ readonly answer: Answer<T>; readonly outcome: SourceStatus }> {
  const answer = await ask();
  if (answer.kind === 'ok') {
    if (serveStaleS > 0) lastAnswers.keep(key, answer.value);
    return { answer, outcome: { status: 'ok' } };
  }
  const last = serveStaleS > 0 ? lastAnswers.find(key, serveStaleS * 1_000) : undefined;
  if (last === undefined) {
    return { answer, outcome: { status: answer.code === 'timeout' ? 'timeout' : 'error', reason: answer.reason } };
  }
  return { answer: { kind: 'ok', value: last.value as T }, outcome: { status: 'cached', age_ms: last.ageMs } };
}

/** What identifies an answer: the source, and all that it was called with. */
const toKey = (entry: SectionEntry, call: Gathering): string =>
  JSON.stringify([
    entry.name,
    Object.entries(call.values).sort(([a], [b]) => (a < b ? -1 : 1)),
    call.topK,
    call.maxTokens,
  ]);

function withDeadline({ deadline_ms }: SectionEntry, deps: AggregatorDeps): AggregatorDeps {
  const sourceMs = Math.min(deadline_ms ?? deps.deadlines.sourceMs, deps.deadlines.sourceMs);
  return { ...deps, deadlines: { ...deps.deadlines, sourceMs } };
}

/** The tokens that a source would have room for if it were the only one. */
function toMaxTokens(entry: SectionEntry, { maxTokens, frame }: Gathering): number | undefined {
  return maxTokens === undefined ? undefined : toLimit(entry, { maxTokens, left: maxTokens - frame.ofAll, frame });
}

async function askSource(
  entry: SectionEntry,
  call: Gathering,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<Answer<Offered>> {
  const { user_id: userId, user_query: query } = call.values;
  if (isMemories(entry)) {
    const { names, topK } = call;
    const known = { user: [userId, String(call.values['user_name'] ?? '')], assistants: names };
    const origin = { source: entry.name, server: KNOWLEDGE_BASE, known, trust: entry.trust };
    const searchQuery = call.values.search_query;
    const request = { userId, query, searchQuery, names, topK, maxTokens: toMaxTokens(entry, call), origin };
    return toAnswer(await recallMemories(request, deps, signal), (recall) => recall);
  }
  const server = toServer(entry, call.values);
  if (isSearch(entry) && call.values.search_query === undefined) return { kind: 'ok', value: NOTHING };
  if (!deps.upstreams.has(server)) return createFailure('is not in the configuration');
  const options = { timeoutMs: deps.deadlines.sourceMs, signal };
  const answer = await askDeclared({ entry, server, values: call.values }, deps, options);
  return toAnswer(answer, ({ items }: { readonly items: readonly SourceItem[] }) =>
    toDeclaredLines(
      items,
      { source: entry.name, server },
      {
        userId,
        sanitize: deps.sanitize,
        minScore: entry.min_score,
        trust: entry.trust,
        speaker: toSpeaker(server, deps),
      },
    ),
  );
}

/** Who says what a server answers and does not tell who said it: a profile and typed memory have what people said, agent memory what the agent noted, a knowledge base documents; any other server is a tool. */
function toSpeaker(server: string, { upstreams }: AggregatorDeps): Trust {
  const service = upstreams.serviceOf(server) ?? server;
  return SPEAKERS.get(service) ?? 'tool';
}

function toAnswer<T extends { readonly kind: 'ok' }, O>(result: T | Failure, convert: (value: T) => O): Answer<O> {
  return result.kind === 'failed' ? result : { kind: 'ok', value: convert(result) };
}

/** Asks all sources at the same time; each answers, or is given up, within its deadline and that of all. */
export async function gather(
  call: Gathering,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<readonly SourceOffer[]> {
  return Promise.all(
    deps.sources.sections.map(async (entry): Promise<SourceOffer> => {
      const server = isMemories(entry) ? KNOWLEDGE_BASE : toServer(entry, call.values);
      const within = withDeadline(entry, deps);
      const { answer, outcome } = await withLastAnswer(toKey(entry, call), entry.serve_stale_s, deps, () =>
        askSource(entry, call, within, signal),
      );
      const { lines, leftOut } = answer.kind === 'ok' ? answer.value : NOTHING;
      return { entry, server, outcome, lines, leftOut };
    }),
  );
}

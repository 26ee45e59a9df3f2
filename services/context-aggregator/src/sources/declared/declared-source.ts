import type { PromptOmission, Trust } from '@contextloom/contracts';
import type { UpstreamResult } from '@contextloom/mcp-client';
import { gradeHits } from '@contextloom/retrieval/ranking';
import type { OfferedLine } from '../../domain/composing/lines.ts';
import { toTrust } from '../../domain/composing/memory-lines.ts';
import { type CallValues, type DeclaredEntry, PERSONA_SERVER } from '../../domain/context-sources/context-source.ts';
import { fillWithin } from '../../domain/context-sources/fill-within.ts';
import { findMissingField, readItems, type SourceItem } from '../../domain/context-sources/items.ts';
import { isOwn } from '../../domain/context-sources/owners.ts';
import { fillArguments, fillText } from '../../domain/context-sources/template.ts';
import type { SanitizeText } from '../../domain/firewall/sanitize-text.ts';
import type { ToolAnswer } from '../../domain/memories/memories.ts';
import { toTime } from '../../domain/memories/order.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { type Failure, toFailure, toUnreadable } from '../asking/failure.ts';

/** What a declared source gave, or why it gave nothing. */
export type DeclaredAnswer = { readonly kind: 'ok'; readonly items: readonly SourceItem[] } | Failure;

/** A declared source, the server that it asks in a call, and what the call fills its templates with. */
export interface DeclaredRequest {
  readonly entry: DeclaredEntry;
  readonly server: string;
  readonly values: CallValues;
}

interface AskOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Longest answer that is read, in UTF-16 code units: no prompt has room for more. */
const MAX_ANSWER = 1_000_000;

const NOTHING: DeclaredAnswer = { kind: 'ok', items: [] };

function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}

/** `undefined` where a persona's server lacks the tool: personas need not have what others have. */
async function askTool(
  tool: string,
  { entry, server, values }: DeclaredRequest,
  { upstreams }: AggregatorDeps,
  options: AskOptions,
): Promise<UpstreamResult<ToolAnswer> | undefined> {
  const listed = await upstreams.listTools(server, options);
  if (listed.kind !== 'ok') return listed;
  const offered = listed.value.find(({ name }) => name === tool);
  if (offered === undefined && entry.server === PERSONA_SERVER) return undefined;
  return upstreams.call(server, tool, fillWithin(entry.arguments, values, offered?.inputSchema.properties), options);
}

async function ask(
  request: DeclaredRequest,
  deps: AggregatorDeps,
  options: AskOptions,
): Promise<UpstreamResult<ToolAnswer> | undefined> {
  const { server, values } = request;
  const { tool, resource, prompt, arguments: template } = request.entry;
  if (tool !== undefined) return askTool(tool, request, deps, options);
  const { upstreams } = deps;
  const text =
    resource !== undefined
      ? await upstreams.readResource(server, fillText(resource, values, encodeURIComponent), options)
      : await upstreams.getPrompt(server, prompt ?? '', toTexts(fillArguments(template, values)), options);
  return text.kind === 'ok' ? { kind: 'ok', value: { text: text.value } } : text;
}

/** Whether a server of ours that is bound to a user refuses to speak of another one: then it has nothing of this one. */
function isOfAnotherUser(result: UpstreamResult<ToolAnswer>): boolean {
  return result.kind === 'tool_error' && result.failure?.code === 'forbidden' && result.failure.field === 'user_id';
}

/** Asks a declared source; whatever its server does, the answer comes within the deadline. */
export async function askDeclared(
  request: DeclaredRequest,
  deps: AggregatorDeps,
  { timeoutMs, signal }: AskOptions,
): Promise<DeclaredAnswer> {
  const { entry, server } = request;
  const context = { server, log: deps.log };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const result = await ask(request, deps, { timeoutMs, signal: inTime });
  if (result === undefined || isOfAnotherUser(result)) return NOTHING;
  if (result.kind !== 'ok') return toFailure(result, context);
  const items = result.value.text.length > MAX_ANSWER ? undefined : readItems(result.value, entry);
  if (items === undefined) return toUnreadable(result.value.text, context);
  const missing = findMissingField(result.value, entry);
  if (missing !== undefined) {
    const message = `the line of the source names {{${missing}}}, which no item of the answer has`;
    deps.log.warn({ server, source: entry.name, field: missing }, message);
  }
  return { kind: 'ok', items };
}

/** What the items of a declared source become lines by. */
export interface DeclaredLinesOptions {
  readonly userId: string;
  readonly sanitize: SanitizeText;
  readonly minScore?: number | undefined;
  /** Whose words the source lets in; all where it does not say. */
  readonly trust?: readonly Trust[] | undefined;
  /** Who says what an item does not tell the speaker of. */
  readonly speaker: Trust;
}

/** The lines that a declared source offers: what says that it is not this user's is left out, and the rest is made data. */
export function toDeclaredLines(
  items: readonly SourceItem[],
  origin: { readonly source: string; readonly server: string },
  { userId, sanitize, minScore = 0, trust, speaker }: DeclaredLinesOptions,
): { readonly lines: readonly OfferedLine[]; readonly leftOut: readonly PromptOmission[] } {
  const leftOut: PromptOmission[] = [];
  const own = items.filter(({ owners }) => isOwn(owners, userId));
  const { minRelevance = 0, most } = gradeHits(own.map(({ relevance }) => relevance)) ?? {};
  const lines = own.flatMap(({ text: given, id, time, score, relevance = 1, saidBy = [speaker] }, at) => {
    const line = {
      ...origin,
      ...(id !== undefined && { id }),
      ...(time !== undefined && { time }),
      ...toTrust(saidBy),
    };
    if (trust !== undefined && !saidBy.every((one) => trust.includes(one))) {
      leftOut.push({ ...line, reason: 'not_trusted' });
      return [];
    }
    const isDoubtful = relevance < minRelevance || at >= (most?.passages ?? own.length);
    if (isDoubtful || (score !== undefined && score < minScore)) {
      leftOut.push({ ...line, reason: 'not_relevant' });
      return [];
    }
    const { text, held } = sanitize(given);
    if (text.trim() !== '') return [{ text, at: toTime(time), ...line }];
    leftOut.push({ ...line, reason: held > 0 ? 'instruction' : 'empty' });
    return [];
  });
  return { lines, leftOut };
}

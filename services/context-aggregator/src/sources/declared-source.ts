import type { PromptOmission } from '@contextloom/contracts';
import type { UpstreamResult } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import type { OfferedLine } from '../domain/composing/lines.ts';
import type { CallValues, DeclaredEntry } from '../domain/context-source.ts';
import type { Guard } from '../domain/firewall/guard.ts';
import { readItems, type SourceItem } from '../domain/items.ts';
import type { ToolAnswer } from '../domain/memories.ts';
import { toTime } from '../domain/order.ts';
import { isOwn } from '../domain/owners.ts';
import { fillArguments, fillText } from '../domain/template.ts';
import { type Failure, toFailure, toUnreadable } from './failure.ts';

/** What a declared source gave, or why it gave nothing. */
export type DeclaredAnswer = { readonly kind: 'ok'; readonly items: readonly SourceItem[] } | Failure;

/** Longest answer that is read, in UTF-16 code units: no prompt has room for more. */
const MAX_ANSWER = 1_000_000;

function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}

async function ask(
  entry: DeclaredEntry,
  values: CallValues,
  { upstreams }: AggregatorDeps,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<UpstreamResult<ToolAnswer>> {
  const { server, tool, resource, prompt } = entry;
  const args = fillArguments(entry.arguments, values);
  if (tool !== undefined) return upstreams.call(server, tool, args, options);
  const text =
    resource !== undefined
      ? await upstreams.readResource(server, fillText(resource, values, encodeURIComponent), options)
      : await upstreams.getPrompt(server, prompt ?? '', toTexts(args), options);
  return text.kind === 'ok' ? { kind: 'ok', value: { text: text.value } } : text;
}

/** Asks a declared source; whatever its server does, the answer comes within the deadline. */
export async function askDeclared(
  entry: DeclaredEntry,
  values: CallValues,
  deps: AggregatorDeps,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<DeclaredAnswer> {
  const context = { server: entry.server, log: deps.log };
  const result = await ask(entry, values, deps, options);
  if (result.kind !== 'ok') return toFailure(result, context);
  const items = result.value.text.length > MAX_ANSWER ? undefined : readItems(result.value, entry);
  return items === undefined ? toUnreadable(result.value.text, context) : { kind: 'ok', items };
}

/** The lines that a declared source offers: what says that it is not this user's is left out, and the rest is made data. */
export function toDeclaredLines(
  items: readonly SourceItem[],
  { name, server }: DeclaredEntry,
  { userId, guard }: { readonly userId: string; readonly guard: Guard },
): { readonly lines: readonly OfferedLine[]; readonly leftOut: readonly PromptOmission[] } {
  const leftOut: PromptOmission[] = [];
  const own = items.filter(({ owners }) => isOwn(owners, userId));
  const lines = own.flatMap(({ text: given, id, time }) => {
    const { text, held } = guard(given);
    const line = { source: name, server, ...(id !== undefined && { id }), ...(time !== undefined && { time }) };
    if (text.trim() !== '') return [{ text, at: toTime(time), ...line }];
    leftOut.push({ ...line, reason: held > 0 ? 'instruction' : 'empty' });
    return [];
  });
  return { lines, leftOut };
}

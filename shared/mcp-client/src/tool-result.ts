import type { JsonObject } from '@contextloom/contracts';
import { parseReportedFailure, type UpstreamFailure } from './failure.ts';

/** What a call to another server came to. */
export type UpstreamResult<T> = { readonly kind: 'ok'; readonly value: T } | UpstreamFailure;

/** The answer of a tool: its text blocks joined, and its structured content. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: JsonObject | undefined;
}

interface RawToolResult {
  readonly isError?: boolean | undefined;
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[] | undefined;
  readonly structuredContent?: unknown;
  readonly _meta?: unknown;
}

/** What a server's answer to a call comes to. */
export function toToolResult(raw: unknown): UpstreamResult<ToolAnswer> {
  const { isError, content, structuredContent, _meta } = raw as RawToolResult;
  if (!Array.isArray(content)) return { kind: 'invalid', reason: 'answered something that is not a tool result' };
  const text = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n');
  if (isError === true)
    return { kind: 'tool_error', reason: 'answered with an error', answer: text, failure: parseReportedFailure(_meta) };
  const isObject =
    typeof structuredContent === 'object' && structuredContent !== null && !Array.isArray(structuredContent);
  return { kind: 'ok', value: { text, structured: isObject ? (structuredContent as JsonObject) : undefined } };
}

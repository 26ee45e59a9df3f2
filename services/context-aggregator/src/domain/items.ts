import type { ToolAnswer } from './memories.ts';
import { fillText } from './template.ts';

/** One thing that a source gave, before it is guarded. */
export interface SourceItem {
  readonly text: string;
  readonly id?: string | undefined;
  /** ISO 8601. */
  readonly time?: string | undefined;
  /** Whose it is, where it says so. */
  readonly userId?: string | undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A text that is no JSON has no items, and is told as a whole.
  }
}

/** What a JSON pointer (RFC 6901) leads to. */
function follow(value: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce((inner: unknown, key) => {
    const isOwn = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key);
    return isOwn ? (inner as Readonly<Record<string, unknown>>)[key] : undefined;
  }, value);
}

function toText(item: unknown, line: string | undefined): string {
  if (line !== undefined) return fillText(line, item).trim();
  return typeof item === 'string' ? item : JSON.stringify(item);
}

function toItem(item: unknown, line: string | undefined): SourceItem {
  const fields = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<string, unknown>>;
  const read = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => fields[key]).find((value): value is string => typeof value === 'string' && value !== '');
  return {
    text: toText(item, line),
    id: read('id'),
    time: read('occurred_at', 'timestamp', 'date'),
    userId: read('user_id'),
  };
}

/**
 * Reads what a source answered: the items that the pointer leads to, each as the line its template makes of it; the whole text
 * as one where there is neither. `undefined` when the pointer leads nowhere.
 */
export function readItems(
  answer: ToolAnswer,
  { items, line }: { readonly items?: string | undefined; readonly line?: string | undefined },
): readonly SourceItem[] | undefined {
  if (items === undefined && line === undefined) return answer.text.trim() === '' ? [] : [{ text: answer.text }];
  const found = follow(answer.structured ?? parseJson(answer.text), items ?? '');
  if (found === undefined) return undefined;
  return (Array.isArray(found) ? found : [found]).map((item) => toItem(item, line));
}

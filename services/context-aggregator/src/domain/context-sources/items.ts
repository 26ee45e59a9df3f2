import { type JsonObject, readSaidBy, type Trust } from '@contextloom/contracts';
import type { ToolAnswer } from '../memories/memories.ts';
import { readOwners } from './owners.ts';
import { fillText, findPlaceholders } from './template.ts';

/** One thing that a source gave, before it is guarded. */
export interface SourceItem {
  readonly text: string;
  readonly id?: string | undefined;
  /** ISO 8601. */
  readonly time?: string | undefined;
  /** How well it fits, as far as the source tells; comparable within the source. */
  readonly score?: number | undefined;
  /** How much of the question it answers, 0 to 1, where the source is a search that says so. */
  readonly relevance?: number | undefined;
  /** Who said it, as far as the source tells: in `trust`, of the item or of its `metadata` or that of its `entry`. */
  readonly saidBy?: readonly Trust[] | undefined;
  /** Whose it is by each mark on it or around it, as the source gave them. */
  readonly owners: readonly unknown[];
}

/** How the items of an answer are found, and how one becomes a line. */
export interface ItemTemplate {
  readonly items?: string | undefined;
  readonly line?: string | undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A text that is not JSON has no items and is shown as a whole.
  }
}

/** The keys that a JSON pointer (RFC 6901) names. */
export function toPointerKeys(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON pointer leads to, and what it leads through. */
function follow(whole: unknown, pointer: string): { readonly found: unknown; readonly around: readonly unknown[] } {
  const around: unknown[] = [];
  let found = whole;
  for (const key of toPointerKeys(pointer)) {
    around.push(found);
    const isOwn = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    found = isOwn ? (found as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  return { found, around };
}

function toText(item: unknown, line: string | undefined): string {
  if (line !== undefined) return fillText(line, item).trim();
  return typeof item === 'string' ? item : JSON.stringify(item);
}

function toItem(item: unknown, line: string | undefined, owners: readonly unknown[]): SourceItem {
  const fields = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<string, unknown>>;
  const read = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => fields[key]).find((value): value is string => typeof value === 'string' && value !== '');
  return {
    text: toText(item, line),
    id: read('id'),
    time: read('occurred_at', 'timestamp', 'date'),
    score: typeof fields['score'] === 'number' ? fields['score'] : undefined,
    relevance: typeof fields['relevance'] === 'number' ? fields['relevance'] : undefined,
    // A search of agent memory has its hits around their entries.
    saidBy: [fields, Object(fields['metadata']), Object(Object(fields['entry'])['metadata'])]
      .map((one) => readSaidBy(one as JsonObject))
      .find((one) => one.length > 0),
    owners: [...owners, ...readOwners(item)],
  };
}

/** The items of an answer, before they are read. */
function toFound(answer: ToolAnswer, items: string | undefined): readonly unknown[] {
  const { found } = follow(answer.structured ?? parseJson(answer.text), items ?? '');
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

/** A field that the line of a source names and no item of its answer has: a mistake in the configuration. */
export function findMissingField(answer: ToolAnswer, { items, line }: ItemTemplate): string | undefined {
  if (line === undefined) return undefined;
  const found = toFound(answer, items);
  const has = (item: unknown, key: string): boolean =>
    typeof item === 'object' && item !== null && Object.hasOwn(item, key);
  return found.length === 0
    ? undefined
    : findPlaceholders(line).find((name) => !found.some((item) => has(item, name.split('.')[0] ?? '')));
}

/**
 * Reads what a source answered: the items that the pointer leads to, each as the line its template makes of it; the whole text
 * as one where there is neither. `undefined` when the pointer leads nowhere.
 */
export function readItems(answer: ToolAnswer, { items, line }: ItemTemplate): readonly SourceItem[] | undefined {
  const whole = answer.structured ?? parseJson(answer.text);
  if (items === undefined && line === undefined) {
    return answer.text.trim() === '' ? [] : [{ text: answer.text, owners: readOwners(whole) }];
  }
  const { found, around } = follow(whole, items ?? '');
  if (found === undefined) return undefined;
  const owners = around.flatMap(readOwners);
  return (Array.isArray(found) ? found : [found]).map((item) => toItem(item, line, owners));
}

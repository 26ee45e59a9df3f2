import type { JsonObject } from '@contextloom/contracts';
import type { CallValues } from './context-source.ts';
import { fillArguments, findPlaceholders } from './template.ts';

const GAP = ' … ';

/** The values of a call that may be shortened: what somebody says, never who they are. */
const QUERIES: readonly string[] = ['user_query', 'search_query'];

/**
 * A text in at most so many code points, by its beginning and its end: people put what they ask before or after what they paste.
 * @param max at least 0
 */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const kept = max - GAP.length;
  if (kept < 2) return characters.slice(0, max).join('');
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join('')}${GAP}${characters.slice(characters.length - (kept - head)).join('')}`;
}

/** How many code points a text has, as JSON Schema counts lengths. */
const countCharacters = (text: string): number => [...text].length;

function toMaxLength(schema: unknown): number {
  const { maxLength } = (typeof schema === 'object' && schema !== null ? schema : {}) as { maxLength?: unknown };
  return typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
}

function withShorterQueries(values: CallValues, by: number): CallValues {
  const shorter = QUERIES.flatMap((name) => {
    const text = values[name];
    return typeof text === 'string' ? [[name, shorten(text, Math.max(0, countCharacters(text) - by))]] : [];
  });
  return { ...values, ...Object.fromEntries(shorter) };
}

/**
 * Fills the arguments of a tool. A question longer than the tool takes is shortened for it: the source then has something to
 * say, where it would refuse the call.
 * @param schemas of the tool's arguments, by name
 */
export function fillWithin(
  template: JsonObject,
  values: CallValues,
  schemas: Readonly<Record<string, unknown>> = {},
): JsonObject {
  const filled = fillArguments(template, values);
  const fitted = Object.entries(filled).map(([key, value]) => {
    const source = template[key] ?? null;
    const isQuery = findPlaceholders(source).some((name) => QUERIES.includes(name));
    if (typeof value !== 'string' || !isQuery) return { [key]: value };
    const over = countCharacters(value) - toMaxLength(schemas[key]);
    return over > 0 ? fillArguments({ [key]: source }, withShorterQueries(values, over)) : { [key]: value };
  });
  return Object.assign({}, ...fitted);
}

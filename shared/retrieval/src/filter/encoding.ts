import type { Document, JsonScalar, JsonValue } from '@contextloom/contracts';
import { type Attributes, allOf, always, anyOf, type RowCondition } from './conditions.ts';
import type { Filter } from './filter.ts';
import { toComparisonCondition } from './operators.ts';
import { parseTimestamp } from './timestamps.ts';

/*
 * A document's tags and metadata as flat attributes, the same for every engine. Each name begins with what the value is:
 *
 *   tag:<tag>   true        the document has this tag (no engine needs lists)
 *   has:<key>   true        the key is there, whatever its value (some engines let `!=` match what is missing)
 *   str:<key>   text        the value, under a name of its type: 5 and "5" differ, and one name holds one type
 *   num:<key>   number
 *   bool:<key>  boolean
 *   null:<key>  true        the key is there and null
 *   time:<key>  number      epoch milliseconds of a text that is an ISO 8601 timestamp (ranges over text are refused by some)
 *
 * Objects and lists have `has:` alone: they are stored and returned, and equal no scalar.
 */

type ScalarKind = 'str' | 'num' | 'bool' | 'null';

function kindOf(value: JsonScalar): ScalarKind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'str';
  return typeof value === 'number' ? 'num' : 'bool';
}

function encodeValue(key: string, value: JsonValue): readonly [string, string | number | boolean][] {
  const presence: [string, boolean] = [`has:${key}`, true];
  if (value === null) return [presence, [`null:${key}`, true]];
  if (typeof value === 'object') return [presence];
  const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
  const scalar: [string, string | number | boolean] = [`${kindOf(value)}:${key}`, value];
  return time === undefined ? [presence, scalar] : [presence, scalar, [`time:${key}`, time]];
}

/** A document's tags and top-level metadata keys as attributes. */
export function toAttributes({ tags, metadata }: Pick<Document, 'tags' | 'metadata'>): Attributes {
  return new Map([
    ...tags.map((tag) => [`tag:${tag}`, true] as const),
    ...Object.entries(metadata).flatMap(([key, value]) => encodeValue(key, value)),
  ]);
}

/** A filter as a condition on attributes. */
export function toRowCondition(filter: Filter): RowCondition {
  switch (filter.kind) {
    case 'and':
      return allOf(filter.filters.map(toRowCondition));
    case 'or':
      return anyOf(filter.filters.map(toRowCondition));
    default:
      return toComparisonCondition(filter);
  }
}

/** The condition that a document has every one of these tags; without tags it is always met. */
export function hasEveryTag(tags: readonly string[]): RowCondition {
  return allOf(tags.map(hasTag));
}

/** The condition that a document has one of these tags; without tags it is always met. */
export function hasSomeTag(tags: readonly string[]): RowCondition {
  return tags.length === 0 ? always : anyOf(tags.map(hasTag));
}

/** The condition that a document does not have a tag. */
export function lacksTag(tag: string): RowCondition {
  return { test: 'not_in', attribute: `tag:${tag}`, values: [true] };
}

/** The condition that a document's metadata does not have a key. */
export function lacksKey(key: string): RowCondition {
  return { test: 'not_in', attribute: `has:${key}`, values: [true] };
}

function hasTag(tag: string): RowCondition {
  return { test: 'in', attribute: `tag:${tag}`, values: [true] };
}

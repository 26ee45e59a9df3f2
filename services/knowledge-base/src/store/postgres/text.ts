import { toPostgresText } from '@contextloom/postgres';
import type { Attributes } from '@contextloom/retrieval/filter';

/** A scalar as `jsonb` has it. */
export function toJsonb(value: string | number | boolean): string {
  return JSON.stringify(typeof value === 'string' ? toPostgresText(value) : value);
}

/** A document's attributes as one `jsonb` object. */
export function toAttributesJson(attributes: Attributes): string {
  return `{${Array.from(attributes, ([name, value]) => `${toJsonb(name)}:${toJsonb(value)}`).join(',')}}`;
}

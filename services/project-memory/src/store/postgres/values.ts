import { type Tokens, tokenize } from '@contextloom/retrieval';
import type { Dialect } from '../database.ts';

/** A vector as an array of reals: nine digits say all there is in 32 bits, and are read in half the time of a double's. */
export function toVectorText(vector: Float32Array): string {
  return `{${Array.from(vector, (value) => Number(value.toPrecision(9))).join(',')}}`;
}

/** A parameter as a statement takes it. */
export const toParameter = (value: unknown): unknown => (value instanceof Float32Array ? toVectorText(value) : value);

/** A vector as Postgres writes an array. */
function parseVectorText(text: string): Float32Array {
  return Float32Array.from(text.slice(1, -1).split(','), Number);
}

/** A lexeme as tsvector and tsquery read it. */
export function toLexeme(token: string): string {
  return `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** The last position that a tsvector tells apart. Source: PostgreSQL, Limitations of text search. */
const LAST_POSITION = 16_383;

/**
 * The words of a text with their places as tsvector reads it: Postgres' own parsers take a Chinese sentence for one word, ours
 * makes pairs and single characters of it.
 */
function toTsvectorText(text: string): string {
  const { terms, unigrams }: Tokens = tokenize(text, { keepStopWords: true });
  const places = new Map<string, number[]>();
  for (const tokens of [terms, unigrams]) {
    for (const [at, token] of tokens.entries()) {
      const known = places.get(token) ?? [];
      known.push(Math.min(at + 1, LAST_POSITION));
      places.set(token, known);
    }
  }
  return [...places].map(([token, at]) => `${toLexeme(token)}:${at.join(',')}`).join(' ');
}

/** Postgres' parts of statements. */
export const postgresDialect: Dialect = {
  oneOf: (column, n, type = 'text') => `${column} = any($${n}::${type === 'text' ? 'text' : 'uuid'}[])`,
  iso: (column, digits) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.${digits}"Z"')`,
  time: (n) => `$${n}::timestamptz`,
  lock: 'for update',
  vector: (column) => `${column}::text`,
  toVector: (stored) => parseVectorText(String(stored)),
  toWords: toTsvectorText,
};

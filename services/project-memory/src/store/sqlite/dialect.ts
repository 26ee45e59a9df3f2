import { tokenize } from '@contextloom/retrieval';
import { toVector, toVectorBlob } from '@contextloom/sqlite';
import type { Dialect } from '../database.ts';

/** A moment as it is stored; six digits of the second, as Postgres has. */
const toStored = (ms: number, micros = 0): string =>
  `${new Date(ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;

/** Builds a clock each of whose times, as they are stored, is later than the one before; `readMs` reads milliseconds. */
export function createStoredClock(readMs: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(readMs() * 1_000, last + 1);
    return toStored(Math.floor(last / 1_000), last % 1_000);
  };
}

/** A Unix time in seconds as it is stored. */
export const toStoredSeconds = (seconds: number | null): string | null =>
  seconds === null ? null : toStored(Math.floor(seconds * 1_000));

/** A time in ISO 8601 as it is stored. */
export function toStoredTime(text: string | null): string | null {
  if (text === null) return null;
  // What is finer than a millisecond is no part of a `Date`.
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '';
  return toStored(Date.parse(text), Number(micros.padEnd(3, '0')));
}

/** How often a text has each word, and how many words it has. */
function toWords(text: string): string {
  const { terms, unigrams } = tokenize(text, { keepStopWords: true });
  const words = new Map<string, number>();
  for (const token of [...terms, ...unigrams]) words.set(token, (words.get(token) ?? 0) + 1);
  return JSON.stringify({ terms: terms.length, unigrams: unigrams.length, words: Object.fromEntries(words) });
}

/** SQLite's parts of statements; lists are parameters in JSON. */
export const sqliteDialect: Dialect = {
  oneOf: (column, n) => `${column} in (select value from json_each($${n}))`,
  iso: (column, digits) => (digits === 'US' ? column : `substr(${column}, 1, 23) || 'Z'`),
  time: (n) => `to_time($${n})`,
  // One connection at a time writes.
  lock: '',
  vector: (column) => column,
  toVector: (stored) => toVector(Buffer.from(stored as Uint8Array)),
  toWords,
};

/**
 * A parameter as SQLite takes it.
 * @throws ContextloomError `internal` for a vector of another size than `dimensions`
 */
export function toParameter(value: unknown, dimensions?: number): unknown {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Float32Array) return toVectorBlob(value, dimensions ?? value.length);
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

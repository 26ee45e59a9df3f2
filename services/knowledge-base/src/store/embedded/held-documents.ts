import type { Database } from '@contextloom/sqlite';
import type { Candidate } from '../../domain/store.ts';
import { createGrowing } from './growing.ts';
import { BYTES_PER_DIMENSION, createHeldVectors, type HeldVectors } from './held-vectors.ts';
import { createHeldWords, type HeldWords } from './held-words.ts';

/** Documents that are read at once, so that no more than their rows lie in memory twice. */
const BATCH = 1_000;
/** Bytes of a document beside its vector's and its words': its place in the map, and the numbers kept with it. */
const OVERHEAD = 128;
const BYTES_OF_A_NUMBER = 4;
/** Numbers that are held of a document's words, as long as none have been read. */
const NUMBERS_ASSUMED = 192;
/** The slot of a document that is not held. */
const MISSING = -1;

/** What searches need of documents, kept in memory from the first that was about them. */
export interface HeldDocuments {
  readonly vectors: HeldVectors;
  readonly words: HeldWords;
  /** What is known of those that were found before, by their slots; as long as the generation lasts. */
  readonly candidates: Map<number, Candidate>;
  /** The document in a slot. */
  docOf(slot: number): number;
  /** How many documents have been put into the memory; those that changed since count on. */
  readonly count: number;
  /** How often the memory began anew: slots of another generation name other documents. */
  readonly generation: number;
  /** Forgets what was changed since the call before. */
  refresh(): void;
  /** The slots of documents, which are read where they are not held; `undefined` when they are more than there is room for. */
  take(docs: readonly number[]): Int32Array | undefined;
}

/** How much is held, and for how long. */
export interface HeldDocumentsOptions {
  readonly dimensions: number;
  readonly maxBytes: number;
  /** How many searches that find no room it takes until a full memory begins anew. */
  readonly patience: number;
}

interface HeldRow {
  readonly doc: number;
  readonly vector: Buffer;
  readonly terms: string;
  readonly unigrams: string;
}

function toWords(column: string): readonly string[] {
  return column === '' ? [] : column.split(' ');
}

/** The floats of a blob, which lie in place where their size divides its address. */
function toVector({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  if (byteOffset % Float32Array.BYTES_PER_ELEMENT === 0) {
    return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT);
  }
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

/** One filling of the memory. What was changed leaves its slot unused, and nothing is ever moved. */
function createMemory(dimensions: number) {
  const slots = new Map<number, number>();
  const docs = createGrowing((length) => new Float64Array(length));
  const vectors = createHeldVectors(dimensions);
  const words = createHeldWords();
  return {
    slots,
    docs,
    vectors,
    words,
    candidates: new Map<number, Candidate>(),
    add: ({ doc, vector, terms, unigrams }: HeldRow): void => {
      slots.set(doc, docs.length);
      docs.push(doc);
      vectors.add(toVector(vector));
      words.add(toWords(terms), toWords(unigrams));
    },
    count: () => docs.length,
    toMeanNumbers: (): number => words.size / docs.length,
  };
}

/** Builds the test of what has changed since the one before: what to read again, and whether that is everything. */
function createChanges(database: Database) {
  // A rebuilding that ends swaps the tables of vectors, which no other change of the schema does more quietly.
  const schema = database.prepare<[], number>('PRAGMA schema_version').pluck();
  const since = database.prepare<[number], { change: number; doc: number }>(
    'SELECT change, doc FROM changes WHERE change > ? ORDER BY change',
  );
  let lastSchema: number | undefined;
  let lastChange = 0;
  return (): { readonly everything: boolean; readonly docs: readonly number[] } => {
    const found = schema.get();
    const everything = found !== lastSchema;
    lastSchema = found;
    const rows = since.all(lastChange);
    lastChange = rows.at(-1)?.change ?? lastChange;
    return { everything, docs: rows.map(({ doc }) => doc) };
  };
}

/** Builds the estimate of how many documents fit into `maxBytes`, which learns from those that were read. */
function createCapacity(dimensions: number, maxBytes: number) {
  let meanNumbers = NUMBERS_ASSUMED;
  return {
    learn: (found: number): void => {
      meanNumbers = found;
    },
    hasRoomFor: (documents: number): boolean =>
      documents * (dimensions * BYTES_PER_DIMENSION + OVERHEAD + meanNumbers * BYTES_OF_A_NUMBER) <= maxBytes,
  };
}

/**
 * Builds the memory of a connection for what searches read, at most about `maxBytes` large; when that is full it begins
 * anew. `refresh` and `take` belong into the transaction of a search: they see what that sees.
 */
export function createHeldDocuments(
  database: Database,
  { dimensions, maxBytes, patience }: HeldDocumentsOptions,
): HeldDocuments {
  const readRows = database.prepare<[string], HeldRow>(
    `SELECT e.doc, e.vector, t.terms, t.unigrams FROM json_each(?) p
     CROSS JOIN embeddings e ON e.doc = p.value CROSS JOIN tokens t ON t.rowid = e.doc`,
  );
  const toChanges = createChanges(database);
  const capacity = createCapacity(dimensions, maxBytes);
  let memory = createMemory(dimensions);
  let generation = 0;
  let refused = 0;

  const beginAnew = (): void => {
    memory = createMemory(dimensions);
    generation += 1;
  };
  const read = (docs: readonly number[]): void => {
    for (let from = 0; from < docs.length && capacity.hasRoomFor(memory.count()); from += BATCH) {
      for (const row of readRows.all(JSON.stringify(docs.slice(from, from + BATCH)))) memory.add(row);
      capacity.learn(memory.toMeanNumbers());
    }
  };
  const toSlots = (docs: readonly number[]): Int32Array => {
    const slots = new Int32Array(docs.length);
    for (let at = 0; at < docs.length; at += 1) slots[at] = memory.slots.get(docs[at] ?? 0) ?? MISSING;
    return slots;
  };
  /** Whether there is room now, or was none for so long that the memory began anew. */
  const makeRoom = (documents: number, missing: number): boolean => {
    if (capacity.hasRoomFor(memory.count() + missing)) return true;
    if (!capacity.hasRoomFor(documents)) return false;
    refused = (refused + 1) % patience;
    if (refused === 0) beginAnew();
    return refused === 0;
  };

  return {
    get vectors() {
      return memory.vectors;
    },
    get words() {
      return memory.words;
    },
    get candidates() {
      return memory.candidates;
    },
    get count() {
      return memory.count();
    },
    get generation() {
      return generation;
    },
    docOf: (slot) => memory.docs.items[slot] ?? 0,
    refresh: () => {
      const { everything, docs } = toChanges();
      if (everything) beginAnew();
      for (const doc of docs) memory.slots.delete(doc);
    },
    take: (docs) => {
      const held = toSlots(docs);
      const missing = docs.filter((_, at) => held[at] === MISSING);
      if (missing.length === 0) return held;
      if (!makeRoom(docs.length, missing.length)) return undefined;
      read(memory.count() === 0 ? docs : missing);
      const slots = toSlots(docs);
      return slots.includes(MISSING) ? undefined : slots;
    },
  };
}

import type { JsonObject, StoredDocument } from '@contextloom/contracts';
import { z } from 'zod';
import type { HitRow, NewRow, RowNotes } from './collection.ts';

/*
 * A document is one row that every client of Chroma can read and filter: the row's id is the document's, its text the content,
 * its metadata the document's own keys as they are (`user_id`, `importance`, …), lists and objects as JSON text, and
 * `tag:<tag>` true for each tag. Two keys are this program's:
 *
 *   contextloom          the document's exact tags, metadata, keys, version and times, as JSON: Chroma rounds large numbers,
 *                        and knows neither lists nor null
 *   contextloom_waiting  true while zeros stand in the place of a vector that is made later
 */
const HEAD = 'contextloom';

/** The key that is true while a row waits for its vector. */
export const WAITING = 'contextloom_waiting';

const ownKeys: ReadonlySet<string> = new Set([HEAD, WAITING]);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const headSchema = z.object({
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  tags: z.array(z.string()),
  // As it stands: a schema of its own would lose keys such as `__proto__`.
  metadata: z.custom<JsonObject>(isObject),
  keys: z.array(z.string()).optional(),
});
type Head = z.infer<typeof headSchema>;

/** Keys that Chroma keeps for itself, and one that is empty, are in the head alone. */
function isUsableKey(key: string): boolean {
  return key !== '' && !/^(#|chroma:)/.test(key) && !ownKeys.has(key);
}

function toNote(value: unknown): string | number | boolean | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object') return JSON.stringify(value);
  return value as string | number | boolean;
}

/** The metadata that other clients filter by. */
function toPlainNotes({ tags, metadata }: Pick<StoredDocument, 'tags' | 'metadata'>): RowNotes {
  const own = Object.entries(metadata).flatMap(([key, value]): [string, string | number | boolean][] => {
    const note = isUsableKey(key) ? toNote(value) : undefined;
    return note === undefined ? [] : [[key, note]];
  });
  return Object.fromEntries([...own, ...tags.map((tag) => [`tag:${tag}`, true] as const)]);
}

/** The row of a document; without a vector zeros stand in its place, near to nothing. */
export function toRow(
  document: StoredDocument,
  vector: Float32Array | null,
  { dimensions, before }: { readonly dimensions: number; readonly before?: StoredDocument | undefined },
): NewRow {
  const { id, content, tags, metadata, keys, version, created_at, updated_at } = document;
  const head: Head = { version, created_at, updated_at, tags, metadata, ...(keys !== undefined && { keys }) };
  const plain = toPlainNotes(document);
  const lost =
    before === undefined ? [] : Object.keys(toPlainNotes(before)).filter((key) => !Object.hasOwn(plain, key));
  return {
    id,
    text: content,
    notes: { ...plain, [HEAD]: JSON.stringify(head), ...(vector === null && { [WAITING]: true }) },
    vector: vector ?? new Float32Array(dimensions),
    lost: before !== undefined && vector !== null ? [...lost, WAITING] : lost,
  };
}

function parseHead(text: unknown): Head | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return headSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // Another client wrote what is no JSON there.
  }
}

/** Whether a row waits for its vector. */
export function isWaiting({ notes }: HitRow): boolean {
  return notes[WAITING] === true;
}

/** The document of a row that this program wrote; undefined of another client's. */
export function parseRow({ id, text = '', notes }: HitRow): StoredDocument | undefined {
  const head = parseHead(notes[HEAD]);
  if (head === undefined) return undefined;
  const { keys, ...known } = head;
  return { id, content: text, ...known, ...(keys !== undefined && { keys }) };
}

/** The document that another client's row is taken in as; undefined of a row without a text. */
export function adoptRow({ id, text, notes }: HitRow, at: string): StoredDocument | undefined {
  if (text === undefined) return undefined;
  const own = Object.entries(notes).filter(([key]) => !ownKeys.has(key));
  const [tagged, rest] = [
    own.filter(([key]) => key.startsWith('tag:')),
    own.filter(([key]) => !key.startsWith('tag:')),
  ];
  const tags = tagged.filter(([, value]) => value === true).map(([key]) => key.slice('tag:'.length));
  return { id, content: text, tags, metadata: Object.fromEntries(rest), version: 1, created_at: at, updated_at: at };
}

/** What tells two states of one document apart. */
export function toState({ version, created_at, updated_at }: StoredDocument): string {
  return [version, created_at, updated_at].join(' ');
}

import type { MemoryKind } from '@contextloom/contracts/aggregator';
import type { Answer } from '../calls/operations.ts';

/** The kinds of memory, in the order in which they are listed. */
export const kinds = [
  'fact',
  'event',
  'note',
  'typed',
  'entity',
  'agent',
  'project',
] as const satisfies readonly MemoryKind[];
/** One of {@link kinds}. */
export type Kind = MemoryKind;

type Hit = Answer<'recall'>['memories'][number];
/** A memory as lists and searches answer it: a search tells its score, 0 to 1. */
export type Memory = Answer<'list_memories'>['memories'][number] & Partial<Pick<Hit, 'score'>>;

/** A store that was not queried, and why. */
export type NotAsked = Answer<'list_memories'>['not_asked'][number];

/** A page of a list, or what a search found. */
export type MemoryPage = Omit<Answer<'list_memories'>, 'memories'> &
  Partial<Pick<Answer<'recall'>, 'instructions_left_out'>> & { readonly memories: readonly Memory[] };

/** The two parts of an id. */
export function splitId(id: string): { readonly kind: Kind; readonly own: string } {
  const at = id.indexOf(':');
  return { kind: kinds.find((kind) => kind === id.slice(0, at)) ?? 'note', own: id.slice(at + 1) };
}

/** A day in the reader's language; the text itself where a store wrote no date. */
export function toDay(time: string | undefined, language: string): string | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time.slice(0, 40);
  return date.toLocaleDateString(language, { dateStyle: 'long' });
}

/** Of a value of the profile the text is "key: value", and only the value can be changed. */
export function toEditable({ id, text }: Memory): string {
  const { kind, own } = splitId(id);
  const begins = `${own.replaceAll('_', ' ')}: `;
  return kind === 'fact' && text.startsWith(begins) ? text.slice(begins.length) : text;
}

/** A heading, or a memory below it. */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly day: string | undefined }
  | { readonly kind: 'memory'; readonly key: string; readonly memory: Memory };

/** Puts a heading above the memories of each day, which come in that order: behind the memory before, where there is one. */
export function toRows(memories: readonly Memory[], language: string, before?: Memory): readonly Row[] {
  const rows: Row[] = [];
  let last = before && toDay(before.time, language);
  for (const memory of memories) {
    const day = toDay(memory.time, language);
    if (day !== last || (rows.length === 0 && before === undefined))
      rows.push({ kind: 'day', key: `day ${memory.id}`, day });
    last = day;
    rows.push({ kind: 'memory', key: memory.id, memory });
  }
  return rows;
}

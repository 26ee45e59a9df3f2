import { isDeepStrictEqual } from 'node:util';
import { isContextloomError } from '@contextloom/contracts';

/** One thing that `init` writes into a file of a client. */
export interface WrittenPart {
  /** Whether it stands in a text. */
  readonly isIn: (text: string) => boolean;
  /** Writes what stands in a text into another one; undefined where there was no file. */
  readonly redo: (text: string, before: string | undefined) => string;
  /** Takes it out of a text that has changed since. */
  readonly strip: (text: string) => string;
  /** Whether nothing but what a file of these begins with stands in a text. */
  readonly isBare: (text: string) => boolean;
}

/** What a file becomes. */
export interface Undone {
  /** Undefined where there was no file. */
  readonly text: string | undefined;
  /** Whether that is what it was before, byte by byte. */
  readonly isExact: boolean;
}

/** Whether a text, with what was written into it again, is the one that is there now. */
function leadsTo(text: string, before: string | undefined, part: WrittenPart): boolean {
  try {
    return part.redo(text, before) === text;
  } catch (error) {
    if (isContextloomError(error)) return false; // Another one could not be written into.
    throw error;
  }
}

function undoPart(text: string, part: WrittenPart, copies: readonly string[]): Undone {
  const without = copies.filter((copy) => !part.isIn(copy));
  const before = without.find((copy) => leadsTo(text, copy, part));
  if (before !== undefined || leadsTo(text, undefined, part)) return { text: before, isExact: true };
  const rest = part.strip(text);
  return { text: without.length === 0 && part.isBare(rest) ? undefined : rest, isExact: false };
}

function undoInOrder(text: string, parts: readonly WrittenPart[], copies: readonly string[]): Undone {
  let undone: Undone = { text, isExact: true };
  for (const part of parts) {
    if (undone.text === undefined || !part.isIn(undone.text)) continue;
    const next = undoPart(undone.text, part, copies);
    undone = { text: next.text, isExact: undone.isExact && next.isExact };
  }
  return undone;
}

/**
 * Takes out of a file what `init` wrote. A copy that it kept, and that becomes the text of now when the same is written into it
 * again, is what the file was; without one, only what was written is cut out.
 * @param copies what the file was earlier, the latest first, each of them readable
 */
export function undo(text: string, parts: readonly WrittenPart[], copies: readonly string[]): Undone {
  // What was written last is undone first, and which that was is seen by its copy.
  const first = undoInOrder(text, parts, copies);
  if (first.isExact) return first;
  const other = undoInOrder(text, [...parts].reverse(), copies);
  return other.isExact ? other : first;
}

/** Whether a copy is of the format of its file: somebody else may have kept one under that name. */
export function isReadable(copy: string, parts: readonly WrittenPart[]): boolean {
  try {
    for (const part of parts) part.isIn(copy);
    return true;
  } catch (error) {
    if (isContextloomError(error)) return false;
    throw error;
  }
}

/** The keys, and those in them, by which two objects differ, such as `theme` and `mcpServers.other`. */
export function findChanged(before: object, after: object): readonly string[] {
  const toKeys = (one: object, other: object): readonly string[] => [
    ...new Set([...Object.keys(one), ...Object.keys(other)]),
  ];
  const differs = (key: string, one: object, other: object): boolean =>
    !isDeepStrictEqual(Reflect.get(one, key), Reflect.get(other, key));
  return toKeys(before, after)
    .filter((key) => differs(key, before, after))
    .flatMap((key) => {
      const [one, other]: readonly unknown[] = [Reflect.get(before, key) ?? {}, Reflect.get(after, key) ?? {}];
      if (!isPlain(one) || !isPlain(other)) return [key];
      return toKeys(one, other)
        .filter((inner) => differs(inner, one, other))
        .map((inner) => `${key}.${inner}`);
    });
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

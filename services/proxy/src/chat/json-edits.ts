import { eachMember } from './json-members.ts';

/** Writes into a JSON text at a place; all other bytes stay. */
export const insertAt = (text: string, at: number, written: string): string =>
  text.slice(0, at) + written + text.slice(at);

/** Words as they stand inside of a JSON string. */
export const toInside = (words: string): string => JSON.stringify(words).slice(1, -1);

/** What stands between a system prompt and what is put in front of it or behind it. */
const SEPARATOR = '\n\n---\n\n';

/** Puts words in front of what a JSON string or a list of parts says, or behind it; undefined where it is neither. */
export function addWords(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  words: string,
  where: 'before' | 'after',
): string | undefined {
  if (text[start] === '"') {
    return where === 'before'
      ? insertAt(text, start + 1, toInside(words + SEPARATOR))
      : insertAt(text, end - 1, toInside(SEPARATOR + words));
  }
  if (text[start] !== '[') return undefined;
  const part = JSON.stringify({ type: 'text', text: words });
  const isEmpty = eachMember(text, start).next().done === true;
  const comma = isEmpty ? '' : ',';
  return where === 'before' ? insertAt(text, start + 1, part + comma) : insertAt(text, end - 1, comma + part);
}

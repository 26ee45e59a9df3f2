const GAP = ' … ';

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
export const countCharacters = (text: string): number => [...text].length;

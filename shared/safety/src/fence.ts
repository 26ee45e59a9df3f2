import { createHash } from 'node:crypto';

/** Characters of each mark that a fence is made of. */
export const FENCE_MARK_LENGTH = 16;

/**
 * Puts a text between two marks that nothing in it can imitate, since they are made of all that stands between them: the same text always
 * gets the same ones. Nothing stays nothing.
 * @param sentence what a model reads about it
 */
export function toFenced(text: string, sentence: string): string {
  if (text === '') return '';
  const mark = createHash('sha256').update(text).digest('hex').slice(0, FENCE_MARK_LENGTH);
  return `${sentence}\n<<${mark}>>\n${text}<</${mark}>>\n`;
}

import { simplify } from '../chinese/simplify.ts';
import { normalizeText } from './normalize-text.ts';

const apostrophes = /['’‘ʼ]/gu;
/** NFKC has made full-width marks half-width before; a full stop ends a sentence only at the end of a word. */
const marks = /[,;:!?"“”«»()[\]…。、「」『』《》]+|(?<!\.)\.+(?=\s|$)/gu;
const articles = /(?<=^| )(?:an?|the)(?: |$)/gu;
const besideHan = /(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu;

/**
 * One spelling for texts that say the same in the same words: case, width, script variant, punctuation, articles and blanks
 * do not count. Every other word does, its form too: `worked` is not `works`, and `not` is never left out.
 */
export function toComparableText(text: string): string {
  const words = simplify(normalizeText(text)).replace(apostrophes, '').replace(marks, ' ').split(/\s+/u);
  return words
    .filter((word) => word !== '')
    .join(' ')
    .replace(articles, '')
    .replace(besideHan, '')
    .trim();
}

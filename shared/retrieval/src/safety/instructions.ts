import { chineseInstructions } from './instructions-chinese.ts';
import { englishInstructions } from './instructions-english.ts';
import { chatMarkup } from './instructions-markup.ts';

const PATTERNS: readonly RegExp[] = [...chatMarkup, ...englishInstructions, ...chineseInstructions];

/** Signs that nobody sees and that split words for a pattern: soft hyphens, zero-width ones, marks of direction, tags. */
const UNSEEN = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Full-width forms, look-alike quotes and unusual spaces as plain ones; line breaks stay. */
function toPlain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .replace(/[^\S\n]+/gu, ' ')
    .toLowerCase();
}

/**
 * Whether a text is written for the assistant rather than about the user: orders, changes of its role, chat markup.
 * How somebody wishes to be spoken to, told as a fact about them, is none.
 */
export function isInstruction(text: string): boolean {
  const plain = toPlain(text);
  // An order may be broken over lines; the beginning of a line may be what makes one.
  const readings = new Set([plain, plain.replaceAll('\n', ' ')]);
  return [...readings].some((reading) => PATTERNS.some((pattern) => pattern.test(reading)));
}

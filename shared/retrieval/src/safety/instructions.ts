import { chineseInstructions } from './instructions-chinese.ts';
import { englishInstructions } from './instructions-english.ts';
import { chatMarkup } from './instructions-markup.ts';
import { toReadings } from './readings.ts';
import { toWindows } from './windows.ts';

const PATTERNS: readonly RegExp[] = [...chatMarkup, ...englishInstructions, ...chineseInstructions];

/**
 * Whether a text is written for the assistant rather than about the user: orders, changes of its role, chat markup, in
 * whatever disguise. How somebody wishes to be spoken to, told as a fact about them, is none. The time is linear in its length.
 */
export function isInstruction(text: string): boolean {
  return toReadings(text)
    .flatMap(toWindows)
    .some((window) => PATTERNS.some((pattern) => pattern.test(window)));
}

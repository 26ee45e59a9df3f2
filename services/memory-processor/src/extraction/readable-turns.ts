import { LANGUAGES } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';
import type { WindowTurn } from '../domain/windows/window-turns.ts';

const headings = LANGUAGES.map((language) => wordsOf(language).prompt.memories[0].replace(/[[\]]/gu, '\\$&')).join('|');
/** The section that recalled memories are put under, in any language, up to the line that ends it or the end of the text. */
const RECALLED = new RegExp(`(?:${headings})[\\s\\S]*?(?:\\n\\s*---\\s*(?:\\n|$)|$)`, 'gu');

/** Turns as a model may read them: without memories that were recalled for the assistant, which nobody said. */
export function toReadableTurns(turns: readonly WindowTurn[]): readonly WindowTurn[] {
  return turns
    .filter(({ voice }) => voice !== 'system')
    .map((turn) => ({ ...turn, text: turn.text.replace(RECALLED, ' ').trim() }))
    .filter(({ text }) => text !== '');
}

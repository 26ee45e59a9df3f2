import type { WindowTurn } from '../domain/windows/window-turns.ts';

/** The heading of the section that recalled memories are put under, up to the line that ends it or the end of the text. */
const RECALLED = /\[补充记忆上下文\][\s\S]*?(?:\n\s*---\s*(?:\n|$)|$)/gu;

/** Turns as a model may read them: without memories that were recalled for the assistant, which nobody said. */
export function toReadableTurns(turns: readonly WindowTurn[]): readonly WindowTurn[] {
  return turns
    .filter(({ voice }) => voice !== 'system')
    .map((turn) => ({ ...turn, text: turn.text.replace(RECALLED, ' ').trim() }))
    .filter(({ text }) => text !== '');
}

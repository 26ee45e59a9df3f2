import { simplify } from '@contextloom/retrieval';
import type { Moment } from '@contextloom/retrieval/time';
import type { WindowTurn } from '../windows/window-turns.ts';
import { createNameSource, type NameSource } from './names/names.ts';

/** What was said: the turns that facts are drawn from, and what is known around them. */
export interface Ground {
  readonly turns: readonly WindowTurn[];
  /** Said just before, to understand the others by. */
  readonly before: readonly WindowTurn[];
  readonly speakers: readonly string[];
  readonly date: Moment | undefined;
  /** Most facts that are taken. */
  readonly maxFacts: number;
}

/** The same with what is looked up for each fact. */
export interface Known extends Ground {
  /** The turns before, and those that facts are drawn from. */
  readonly all: readonly WindowTurn[];
  /** The names in them, speakers among them. */
  readonly names: NameSource;
}

/** Turns as one text. */
export const toSaid = (turns: readonly WindowTurn[]): string =>
  turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');

/** What was said in simplified characters, which the checks are written in. */
export function toKnown(ground: Ground): Known {
  const plain = (turns: readonly WindowTurn[]): readonly WindowTurn[] =>
    turns.map((turn) => ({ ...turn, speaker: simplify(turn.speaker), text: simplify(turn.text) }));
  const [turns, before] = [plain(ground.turns), plain(ground.before)];
  const [all, speakers] = [[...before, ...turns], ground.speakers.map((one) => simplify(one))];
  return {
    ...ground,
    turns,
    before,
    speakers,
    all,
    names: createNameSource([toSaid(all), ...speakers]),
  };
}

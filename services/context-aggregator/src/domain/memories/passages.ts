import { readEpisode } from '@contextloom/contracts';
import { splitPassages } from '@contextloom/retrieval/chunk';
import { isEpisode, type PromptMemory } from './prompt-memories.ts';

/** A part of a memory that can be included alone. */
export interface Passage {
  /** The place of its turn in the memory. */
  readonly turn: number;
  readonly speaker: string | undefined;
  /** As it stands in the memory, the speaker's name included where it begins a turn. */
  readonly text: string;
  /** The head of the table that it is rows of. */
  readonly head?: string;
  /** Whether its turn begins, or ends, with it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A memory in the parts that can be included alone. */
export interface MemoryPassages {
  /** Its day as the memory tells it, before everything else. */
  readonly header: string;
  readonly passages: readonly Passage[];
}

/** Stands for what is left out. */
const GAP = '…';

interface Turn {
  readonly speaker: string | undefined;
  readonly text: string;
}

function toPassagesOf({ speaker, text }: Turn, turn: number): readonly Passage[] {
  const parts = splitPassages(text);
  return parts.map(({ from, to, head }, at) => ({
    turn,
    speaker,
    text: text.slice(from, to),
    ...(head !== undefined && { head: text.slice(head.from, head.to) }),
    isFirst: at === 0,
    isLast: at === parts.length - 1,
  }));
}

/** Takes a memory apart: an episode by its turns, and what is long by its paragraphs, lists, tables and code. */
export function toMemoryPassages({ memory, text }: PromptMemory): MemoryPassages {
  if (isEpisode(memory)) {
    const { date, turns } = readEpisode(text);
    return { header: date === undefined ? '' : `[${date}]\n`, passages: turns.flatMap(toPassagesOf) };
  }
  const header = text.endsWith(memory.content) ? text.slice(0, text.length - memory.content.length) : '';
  return { header, passages: toPassagesOf({ speaker: undefined, text: text.slice(header.length) }, 0) };
}

const startsTurn = ({ isFirst, speaker, head }: Passage): string =>
  [
    isFirst || speaker === undefined ? '' : `${speaker}: `,
    isFirst ? '' : `${GAP}\n`,
    head === undefined ? '' : `${head}\n`,
  ].join('');

/** Puts some passages of a memory together again, by their places in order; what is left out around them is marked. */
export function toExcerpt({ header, passages }: MemoryPassages, included: readonly number[]): string {
  let text = header;
  let last: { readonly at: number; readonly passage: Passage } | undefined;
  for (const at of included) {
    const passage = passages[at];
    if (passage === undefined) continue;
    const isNext = last !== undefined && at - 1 === last.at;
    const isSameTurn = last?.passage.turn === passage.turn;
    if (isNext && isSameTurn) text += passage.text;
    else if (isNext && last?.passage.isLast === true) text += `\n${startsTurn(passage)}${passage.text}`;
    else {
      const before = last === undefined ? text : `${text.trimEnd()}\n`;
      const isGap = last !== undefined && (passage.isFirst || isSameTurn);
      const head = passage.head === undefined ? '' : `${passage.head}\n`;
      text = `${before}${isGap ? `${GAP}\n` : ''}${isSameTurn ? head : startsTurn(passage)}${passage.text}`;
    }
    last = { at, passage };
  }
  if (last === undefined) return header.trimEnd();
  return last.passage.isLast ? text.trimEnd() : `${text.trimEnd()}\n${GAP}`;
}

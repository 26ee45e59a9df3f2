import type { FoundTurn, Out } from './reader.ts';

/** A part of a message that nobody said, and why it is left out. */
export interface LeftOutPart {
  readonly what: string;
  readonly text: string;
}

/** What a message says, and what of it is left out. */
export interface Words {
  readonly text: string;
  readonly leftOut: readonly LeftOutPart[];
}

/** Words of a message of which nothing is left out. */
export const said = (text: string): Words => ({ text, leftOut: [] });

/** A message that says nothing. */
export const unsaid = (what: string, text: string): Words => ({ text: '', leftOut: [{ what, text }] });

/** Hands on a message: its words as a turn, and the rest as left out. */
export function putWords({ text, leftOut }: Words, turn: Omit<FoundTurn, 'text'>, at: string, out: Out): void {
  for (const part of leftOut) out.leftOut(part.what, at, part.text);
  if (text !== '') out.turn({ ...turn, text });
  else if (leftOut.length === 0) out.leftOut('empty message', at, '');
}

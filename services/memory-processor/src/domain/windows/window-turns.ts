import { withoutDate, withoutIndents, writeEpisode } from '@contextloom/contracts';
import { type Moment, toWallDate } from '@contextloom/retrieval/time';
import type { Turn } from '@contextloom/transcripts/transcript';

/** Most turns in a window. */
export const MAX_WINDOW_TURNS = 6;
/** Most tokens in a window's content. */
export const MAX_WINDOW_TOKENS = 300;

/** A turn, or a piece of a long one, as it stands in a window. */
export interface WindowTurn extends Turn {
  /** The turn's name in its source, else its number in the conversation from 1. */
  readonly label: string;
}

/** The content of a window: `[YYYY-MM-DD]` if the turns or their session tell the date, then `Speaker: words` a turn. */
export function toContent(turns: readonly WindowTurn[], sessionDate: Moment | undefined): string {
  const date = turns[0]?.at ?? sessionDate;
  return writeEpisode(turns, date === undefined ? undefined : toWallDate(date));
}

/** The first line that somebody says in a window. */
export function toFirstLine(content: string): string {
  const said = withoutDate(content);
  const end = said.indexOf('\n');
  return end < 0 ? said : said.slice(0, end);
}

/** Whether a recorded content has these very words; it may be one of before the lines of a turn were indented. */
export function isSameContent(content: string, recorded: string): boolean {
  return content === recorded || withoutIndents(content) === recorded;
}

/** Whether a content goes on where a recorded one ends. */
export function goesOnFrom(content: string, recorded: string): boolean {
  return content.startsWith(`${recorded}\n`) || withoutIndents(content).startsWith(`${recorded}\n`);
}

/** Whether a recorded content goes on where this one ends. */
export function endsBefore(content: string, recorded: string): boolean {
  return recorded.startsWith(`${content}\n`) || recorded.startsWith(`${withoutIndents(content)}\n`);
}

/**
 * How far apart the positions of two windows are that follow each other. A knowledge base lifts what stands around a
 * document that a search finds, by shares made for single turns: an answer follows its question. A window has mostly both
 * in it, so that its neighbours are to get what a turn gives at two places' distance.
 */
const POSITIONS_A_WINDOW = 2;

/** Where a window stands among those of its session, for the knowledge base. */
export function toPosition({ ordinal }: { readonly ordinal: number }): number {
  return ordinal * POSITIONS_A_WINDOW;
}

/** The ordinal of the window that stands at a position. */
export function toOrdinal(position: number): number {
  return position / POSITIONS_A_WINDOW;
}

import { splitSentences } from '@contextloom/retrieval';
import { type Moment, toWallDate } from '@contextloom/retrieval/time';
import type { Conversation, Session, Turn } from './transcript.ts';

/** Most turns in a window. */
export const MAX_WINDOW_TURNS = 6;
/** Most tokens in a window's content. */
export const MAX_WINDOW_TOKENS = 300;

/**
 * How far apart the positions of two windows are that follow each other. A knowledge base lifts what stands around a
 * document that a search finds, by shares made for single turns: an answer follows its question. A window has mostly both
 * in it, so that its neighbours are to get what a turn gives at two places' distance.
 */
const POSITIONS_A_WINDOW = 2;

/** A turn, or a piece of a long one, as it stands in a window. */
export interface WindowTurn extends Turn {
  /** The turn's name in its source, else its number in the conversation from 1. */
  readonly label: string;
}

/** A piece of a conversation, word for word: what an episode remembers, and what an extractor reads. */
export interface EpisodeWindow {
  /** The label of its session. */
  readonly session: string;
  /** Its place in the session, from 1. */
  readonly ordinal: number;
  /** When its first turn was said. */
  readonly date?: Moment;
  readonly turns: readonly WindowTurn[];
  /** `[YYYY-MM-DD]` if the date is known, then `Speaker: words` a turn. */
  readonly content: string;
}

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/**
 * Cuts a conversation into windows of at most {@link MAX_WINDOW_TURNS} turns and {@link MAX_WINDOW_TOKENS} tokens. Every
 * word that a person or an assistant says is in exactly one window; a longer conversation has the same windows but for
 * the last of the session that grew.
 */
export function toEpisodes(conversation: Conversation, countTokens: CountTokens): readonly EpisodeWindow[] {
  let position = 0;
  return conversation.sessions.flatMap((session) => {
    const labelled = session.turns.map((turn) => {
      position += 1;
      return { ...turn, label: turn.id ?? String(position) };
    });
    const spoken = labelled.filter(({ voice, text }) => voice !== 'system' && text.trim() !== '');
    return toWindows(session, spoken, countTokens);
  });
}

/** Where a window's turns stand in their source: `D1:1-D1:6`, or `4` for one turn. */
export function toTurnRange({ turns }: EpisodeWindow): string {
  const [first, last] = [turns[0]?.label ?? '', turns.at(-1)?.label ?? ''];
  return first === last ? first : `${first}-${last}`;
}

/** Where a window stands among those of its session, for the knowledge base. */
export function toPosition({ ordinal }: EpisodeWindow): number {
  return ordinal * POSITIONS_A_WINDOW;
}

function toWindows(session: Session, turns: readonly WindowTurn[], countTokens: CountTokens): readonly EpisodeWindow[] {
  const fits = (part: readonly WindowTurn[]): boolean =>
    part.length <= MAX_WINDOW_TURNS && countTokens(toContent(part, session.date)) <= MAX_WINDOW_TOKENS;
  const parts: WindowTurn[][] = [];
  for (const piece of turns.flatMap((turn) => cutTurn(turn, fits))) {
    const last = parts.at(-1);
    if (last !== undefined && fits([...last, piece])) last.push(piece);
    else parts.push([piece]);
  }
  return parts.map((part, index) => {
    const date = part[0]?.at ?? session.date;
    return {
      session: session.label,
      ordinal: index + 1,
      ...(date !== undefined && { date }),
      turns: part,
      content: toContent(part, session.date),
    };
  });
}

function toContent(turns: readonly WindowTurn[], sessionDate: Moment | undefined): string {
  const date = turns[0]?.at ?? sessionDate;
  const header = date === undefined ? [] : [`[${toWallDate(date)}]`];
  return [...header, ...turns.map(({ speaker, text }) => `${speaker}: ${text}`)].join('\n');
}

/**
 * Cuts a turn that does not fit into a window by itself: after sentences, or inside a sentence that is too long, between
 * words, or inside a word of more than 24 characters (a speaker's name of 40 and such a word always fit).
 */
function cutTurn(turn: WindowTurn, fits: (part: readonly WindowTurn[]) => boolean): readonly WindowTurn[] {
  const fitsAlone = (text: string): boolean => fits([{ ...turn, text }]);
  if (fitsAlone(turn.text)) return [turn];
  const atoms = splitSentences(turn.text).flatMap((sentence) =>
    fitsAlone(sentence) ? [sentence] : (sentence.match(/\S{1,24}\s{0,24}|\s{1,24}/gu) ?? []),
  );
  const pieces: string[] = [];
  for (const atom of atoms) {
    const last = pieces.at(-1);
    if (last !== undefined && fitsAlone(last + atom)) pieces[pieces.length - 1] = last + atom;
    else pieces.push(atom);
  }
  return pieces.filter((text) => text.trim() !== '').map((text) => ({ ...turn, text: text.trim() }));
}

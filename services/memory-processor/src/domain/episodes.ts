import { endsAsking } from '@contextloom/retrieval';
import { type Moment, toWallDate } from '@contextloom/retrieval/time';
import { type CountTokens, cutText } from './cut-text.ts';
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

/**
 * Cuts a conversation into windows of at most {@link MAX_WINDOW_TURNS} turns and {@link MAX_WINDOW_TOKENS} tokens, and not
 * between a question and its answer, as far as the two fit into one. Every word that a person or an assistant says is in exactly one window; a longer conversation has the same windows but for
 * the last of the session that grew. They come one by one, since a text of megabytes takes seconds.
 */
export function* toEpisodes(conversation: Conversation, countTokens: CountTokens): Generator<EpisodeWindow> {
  let position = 0;
  for (const session of conversation.sessions) {
    const labelled = session.turns.map((turn) => {
      position += 1;
      return { ...turn, label: turn.id ?? String(position) };
    });
    const turns = labelled.filter(({ voice, text }) => voice !== 'system' && text.trim() !== '');
    let ordinal = 0;
    for (const part of eachPart({ session, turns, countTokens })) {
      ordinal += 1;
      yield toWindow(part, session, ordinal);
    }
  }
}

/** Where a window's turns stand in their source: `D1:1-D1:6`, or `4` for one turn. */
export function toTurnRange({ turns }: EpisodeWindow): string {
  const [first, last] = [turns[0]?.label ?? '', turns.at(-1)?.label ?? ''];
  return first === last ? first : `${first}-${last}`;
}

/**
 * How many turns at the start of a window an earlier version of it had, if that is all it had and the window has more.
 * @param earlier the content of the earlier version
 */
export function countKnownTurns({ turns, content }: EpisodeWindow, earlier: string): number | undefined {
  const lines = turns.map(({ speaker, text }) => `${speaker}: ${text}`);
  const header = content.slice(0, content.length - lines.join('\n').length);
  const known = lines.findIndex((_line, at) => header + lines.slice(0, at + 1).join('\n') === earlier) + 1;
  return known === 0 || known === turns.length ? undefined : known;
}

/** Whether one content is the other with further turns, or the same. */
export function isGrownFrom(content: string, earlier: string): boolean {
  return content === earlier || content.startsWith(`${earlier}\n`);
}

/** Where a window stands among those of its session, for the knowledge base. */
export function toPosition({ ordinal }: EpisodeWindow): number {
  return ordinal * POSITIONS_A_WINDOW;
}

interface SessionWindows {
  readonly session: Session;
  readonly turns: readonly WindowTurn[];
  readonly countTokens: CountTokens;
}

function* eachPiece({ session, turns, countTokens }: SessionWindows): Generator<WindowTurn> {
  for (const turn of turns) {
    const inWindow = (text: string): string => toContent([{ ...turn, text }], session.date);
    for (const text of cutText(turn.text, { countTokens, maxTokens: MAX_WINDOW_TOKENS, inWindow })) {
      yield { ...turn, text };
    }
  }
}

/** Whether the first of two turns ends on a question that somebody else may answer in the second. */
function isAnswered([asked, answer]: readonly WindowTurn[]): boolean {
  return asked !== undefined && asked.speaker !== answer?.speaker && endsAsking(asked.text);
}

function* eachPart(options: SessionWindows): Generator<readonly WindowTurn[]> {
  const { session, countTokens } = options;
  const fits = (part: readonly WindowTurn[]): boolean =>
    part.length <= MAX_WINDOW_TURNS && countTokens(toContent(part, session.date)) <= MAX_WINDOW_TOKENS;
  let part: readonly WindowTurn[] = [];
  for (const piece of eachPiece(options)) {
    const longer = [...part, piece];
    if (part.length > 0 && !fits(longer)) {
      // An answer without its question is found by few and understood by fewer: the two go into one window.
      const pair = [...part.slice(-1), piece];
      const next = part.length > 1 && isAnswered(pair) && fits(pair) ? pair : [piece];
      yield part.slice(0, part.length + 1 - next.length);
      part = next;
    } else part = longer;
  }
  if (part.length > 0) yield part;
}

function toWindow(turns: readonly WindowTurn[], session: Session, ordinal: number): EpisodeWindow {
  const date = turns[0]?.at ?? session.date;
  return {
    session: session.label,
    ordinal,
    ...(date !== undefined && { date }),
    turns,
    content: toContent(turns, session.date),
  };
}

function toContent(turns: readonly WindowTurn[], sessionDate: Moment | undefined): string {
  const date = turns[0]?.at ?? sessionDate;
  const header = date === undefined ? [] : [`[${toWallDate(date)}]`];
  return [...header, ...turns.map(({ speaker, text }) => `${speaker}: ${text}`)].join('\n');
}

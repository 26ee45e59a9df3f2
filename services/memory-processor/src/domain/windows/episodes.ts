import { readEpisode, writeEpisode } from '@contextloom/contracts';
import type { Moment } from '@contextloom/retrieval/time';
import type { Conversation, Session } from '@contextloom/transcripts/transcript';
import type { Retraction } from '../retractions/retraction.ts';
import type { CountTokens } from './cut-text.ts';
import type { CutBasis } from './recorded-windows.ts';
import { eachPart, type Part } from './window-parts.ts';
import { isSameContent, toContent, type WindowTurn } from './window-turns.ts';

/** A piece of a conversation, word for word: what an episode remembers, and what an extractor reads. */
export interface EpisodeWindow {
  /** The label of its session. */
  readonly session: string;
  /** Its place in the session, from 1. */
  readonly ordinal: number;
  /** When its first turn was said; or when the call came that brought it, if nothing else tells. */
  readonly date?: Moment;
  /** When the call came that brought its newest turn, if the date is that of a call; ISO 8601 UTC. */
  readonly calledAt?: Moment;
  readonly turns: readonly WindowTurn[];
  /** `[YYYY-MM-DD]` if the date is known, then `Speaker: words` a turn. */
  readonly content: string;
  /** What a person made of it: it is neither read nor saved. */
  readonly retraction?: Retraction;
}

const NOTHING_KNOWN: CutBasis = { recorded: [], calledAt: undefined };

/**
 * Cuts a conversation into windows of at most six turns and 300 tokens, and not between a question and its answer, as far as
 * the two fit into one. Every word that a person or an assistant says is in exactly one window; a longer conversation has the
 * same windows but for the last of the session that grew. What is recorded keeps its windows and their dates, whoever cut them;
 * a call on another day begins a window of its own. They come one by one, since a text of megabytes takes seconds.
 */
export function* toEpisodes(
  conversation: Conversation,
  countTokens: CountTokens,
  { recorded, calledAt, findRetracted }: CutBasis = NOTHING_KNOWN,
): Generator<EpisodeWindow> {
  const newAt = isDated(conversation) ? undefined : calledAt;
  let position = 0;
  for (const session of conversation.sessions) {
    const labelled = session.turns.map((turn) => {
      position += 1;
      return { ...turn, label: turn.id ?? String(position) };
    });
    const turns = labelled.filter(({ voice, text }) => voice !== 'system' && text.trim() !== '');
    const own = recorded.filter((window) => window.session === session.label);
    const basis = { recorded: own, calledAt: newAt, findRetracted };
    for (const part of eachPart({ session, turns, countTokens, basis })) yield toWindow(part, session);
  }
}

/** Whether anything in a conversation tells when something in it was said: then that dates the rest, as far as it can be dated. */
function isDated({ sessions }: Conversation): boolean {
  return sessions.some(({ date, turns }) => date !== undefined || turns.some(({ at }) => at !== undefined));
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
  const { date } = readEpisode(content);
  const known = turns.findIndex((_, at) => isSameContent(writeEpisode(turns.slice(0, at + 1), date), earlier)) + 1;
  return known === 0 || known === turns.length ? undefined : known;
}

function toWindow({ turns, ordinal, called, retraction }: Part, session: Session): EpisodeWindow {
  const stated = turns[0]?.at ?? session.date;
  const date = stated ?? called?.first;
  return {
    session: session.label,
    ordinal,
    ...(date !== undefined && { date }),
    ...(stated === undefined && called !== undefined && { calledAt: called.last }),
    turns,
    content: toContent(turns, session.date),
    ...(retraction !== undefined && { retraction }),
  };
}

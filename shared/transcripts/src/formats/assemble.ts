import { type Moment, toInstant } from '@contextloom/retrieval/time';
import { type Conversation, type Turn, toSessions, toTurn } from '../transcript.ts';
import type { GraphPart } from './graph-part.ts';
import type { ConversationHead, FoundTurn, Out } from './reader.ts';
import { fromInstant, toZoned } from './text/wall-time.ts';

/** Who the user is, and which turns are wanted. */
export interface Selection {
  /** The names of the user in the chat. */
  readonly me?: readonly string[] | undefined;
  /** Other names for speakers. */
  readonly speakers?: ReadonlyMap<string, string> | undefined;
  /** Instants, ISO 8601 UTC; turns from `since` on and before `until`. Without a date a turn is left out. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** IANA name of the time zone that the file's clocks showed. */
  readonly timezone?: string | undefined;
  readonly date?: Moment | undefined;
}

/** A conversation as an import takes it. */
export interface FoundConversation extends Conversation {
  /** Which part of a long conversation it is, from 2; absent of the first. */
  readonly part?: number;
  /** The name of the long conversation that it is a part of. */
  readonly of?: string;
}

/** What an assembler hands on. */
export interface Assembled {
  readonly onConversation: (conversation: FoundConversation) => void;
  readonly onGraph?: (part: GraphPart) => void;
  readonly onLeftOut?: (what: string, at: string, text: string) => void;
  readonly onFault?: (at: string, reason: string, error?: Error) => void;
  readonly onNote?: (text: string) => void;
}

/** A conversation of more turns is cut where the next day begins, so that a chat of years needs no more memory than its part. */
const TURNS_A_PART = 2_000;
/** A part of more turns, or more characters, is cut wherever it stands. */
const MAX_TURNS_A_PART = 10_000;
const MAX_LENGTH_A_PART = 8 * 1024 * 1024;

/** How a reader finds the user among names: as they are written, whatever their case and outer blanks. */
export function toNameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** What an import says of a message of which nothing is kept, as its speaker asked. */
export const PRIVATE_MESSAGE = 'message marked as private';
const OUTSIDE = 'turn outside --since and --until';
const RESERVED = /^(?:user|用户)$/iu;

/** Where readers of one file after the other put what they find. */
export interface Assembler extends Out {
  /** Begins another file: a reader that names no conversation does not go on with the one before. */
  readonly file: () => void;
  readonly end: () => void;
}

/** Builds what makes conversations of the turns that a reader finds, one after the other. */
export function createAssembler(selection: Selection, to: Assembled): Assembler {
  const mine = new Set((selection.me ?? []).map(toNameKey));
  const names = new Map([...(selection.speakers ?? [])].map(([from, name]) => [toNameKey(from), name]));
  let head: ConversationHead = {};
  let turns: Turn[] = [];
  let length = 0;
  let part = 1;
  let lastDay: string | undefined;
  let isNewFile = false;

  const emit = (): void => {
    if (turns.length > 0) {
      const sessions = toSessions(turns, selection.date);
      const { id, title } = head;
      const own = id === undefined || part === 1 ? id : `${id} (${part})`;
      to.onConversation({
        ...(own !== undefined && { id: own }),
        ...(title !== undefined && { title }),
        ...(part > 1 && { part, ...(id !== undefined && { of: id }) }),
        sessions,
      });
      part += 1;
    }
    [turns, length] = [[], 0];
  };
  const begin = (next: ConversationHead): void => {
    emit();
    [head, part, lastDay, isNewFile] = [next, 1, undefined, false];
  };
  const toMoment = ({ at, wall }: FoundTurn): Moment | undefined => {
    if (wall !== undefined) return toZoned(wall, selection.timezone);
    const isInstant = at !== undefined && at.length > 10 && at.endsWith('Z');
    return isInstant && selection.timezone !== undefined ? fromInstant(Date.parse(at), selection.timezone) : at;
  };
  const isWanted = (at: Moment | undefined): boolean => {
    if (selection.since === undefined && selection.until === undefined) return true;
    if (at === undefined) return false;
    const instant = toInstant(at);
    return instant >= (selection.since ?? '') && (selection.until === undefined || instant < selection.until);
  };
  const toSpeaker = ({ speaker, role }: FoundTurn) => {
    const shown = speaker?.trim() ?? '';
    const given = names.get(toNameKey(shown));
    const isAnother = role === 'participant' || role === 'other';
    const isMe = role === 'user' || (shown !== '' && (mine.has(toNameKey(shown)) || mine.has(toNameKey(given ?? ''))));
    // Somebody of a chat who is called "user" is not the user.
    const name = given ?? (isAnother && RESERVED.test(shown) ? `@${shown}` : shown);
    if (isMe) return { speaker: 'user', role: 'user' };
    return { speaker: name === '' && isAnother ? 'unknown' : name || role, role };
  };
  const renamed = (turn: Turn): Turn => {
    const name = names.get(toNameKey(turn.speaker)) ?? turn.speaker;
    const isMe = mine.has(toNameKey(turn.speaker)) || mine.has(toNameKey(name));
    return isMe ? { ...turn, speaker: 'user', voice: 'person' } : { ...turn, speaker: name };
  };
  return {
    conversation: (next) => {
      // Another file of the same conversation goes on with it.
      isNewFile = false;
      if (next.id !== undefined && next.id === head.id) return;
      begin(next);
    },
    file: () => {
      isNewFile = true;
    },
    turn: (found) => {
      if (isNewFile) begin({});
      const at = toMoment(found) ?? undefined;
      if (!isWanted(at ?? selection.date)) return to.onLeftOut?.(OUTSIDE, at ?? '', found.text);
      const day = at?.slice(0, 10);
      const isNewDay = day !== undefined && lastDay !== undefined && day !== lastDay;
      const isFull = turns.length >= MAX_TURNS_A_PART || length >= MAX_LENGTH_A_PART;
      if (isFull || (isNewDay && turns.length >= TURNS_A_PART)) emit();
      const turn = toTurn({ id: found.id, ...toSpeaker(found), text: found.text, at });
      if (turn.text === '') return to.onLeftOut?.(turn.isPrivate ? PRIVATE_MESSAGE : 'empty message', at ?? '', '');
      turns.push(turn);
      length += turn.text.length;
      lastDay = day ?? lastDay;
    },
    whole: (conversation) => {
      emit();
      const sessions = conversation.sessions.flatMap((session) => {
        const kept = session.turns.filter((turn) => isWanted(turn.at ?? session.date));
        for (const { at = session.date, text } of session.turns)
          if (!isWanted(at)) to.onLeftOut?.(OUTSIDE, at ?? '', text);
        return kept.length === 0 ? [] : [{ ...session, turns: kept.map(renamed) }];
      });
      if (sessions.length > 0) to.onConversation({ ...conversation, sessions });
    },
    graph: (part) => to.onGraph?.(part),
    leftOut: (what, at, text) => to.onLeftOut?.(what, at, text),
    fault: (at, reason, error) => to.onFault?.(at, reason, error),
    note: (text) => to.onNote?.(text),
    end: emit,
  };
}

import { isAssistantName } from '@contextloom/retrieval';
import { type Moment, toWallDate } from '@contextloom/retrieval/time';
import { isOffTheRecord, withoutPrivate } from '@contextloom/safety/private';

/** Who speaks: a person, an assistant (whose words weigh less), or the system (whose words are nobody's memory). */
export type Voice = 'person' | 'assistant' | 'system';

/** One thing said, word for word. */
export interface Turn {
  /** The turn's name in its source, e.g. `D1:3`. */
  readonly id?: string;
  readonly speaker: string;
  readonly voice: Voice;
  readonly text: string;
  readonly at?: Moment;
  /** Whether it is of a chat among people: its speaker is somebody, and neither a persona nor a program. */
  readonly isAmongPeople?: true;
  /** Whether nothing of it is kept, since its speaker marked all of it as private. */
  readonly isPrivate?: true;
}

/** Turns that belong to one sitting; windows never cross from one session to the next. */
export interface Session {
  readonly label: string;
  readonly date?: Moment;
  readonly turns: readonly Turn[];
}

/** A conversation, whatever format it came in. */
export interface Conversation {
  /** The name that the source gives the conversation. */
  readonly id?: string;
  /** What people call it. */
  readonly title?: string | undefined;
  readonly sessions: readonly Session[];
}

/** A turn as a format reads it, before it is made clean. */
export interface RawTurn {
  readonly id?: string | undefined;
  readonly speaker?: string | undefined;
  /** What the source calls the speaker's part, e.g. `assistant`; `participant` of a chat among people. */
  readonly role?: string | undefined;
  readonly text: string;
  readonly at?: Moment | undefined;
}

/** Longest speaker name kept, in characters: a name stands before each turn and must leave room for the words. */
const MAX_SPEAKER_LENGTH = 40;
const SYSTEM = /^(?:system|developer|tool|function|系统)$/iu;

/** Replaces lone surrogates, which cannot be stored as UTF-8. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}

function toVoice(name: string): Voice {
  if (isAssistantName(name)) return 'assistant';
  return SYSTEM.test(name) ? 'system' : 'person';
}

/**
 * Makes a turn clean: well-formed text without what is marked as private and without outer blank space, a speaker of one line (`user`
 * when unnamed).
 */
export function toTurn({ id, speaker, role, text, at }: RawTurn): Turn {
  const name = toWellFormed(speaker ?? role ?? '')
    .replace(/\s+/gu, ' ')
    .trim();
  const said = toWellFormed(text).trim();
  const kept = isOffTheRecord(name) ? '' : withoutPrivate(said).trim();
  return {
    ...(id !== undefined && { id: toWellFormed(id) }),
    speaker: [...(name === '' ? 'user' : name)].slice(0, MAX_SPEAKER_LENGTH).join(''),
    voice: toVoice((role ?? name).trim()),
    text: kept,
    ...(role === 'participant' && { isAmongPeople: true as const }),
    ...(at !== undefined && { at }),
    ...(kept === '' && said !== '' && { isPrivate: true as const }),
  };
}

/**
 * Makes sessions of turns that come in one list: a new one begins where the day changes. A session is labelled with its
 * day, so that a later part of the same conversation finds the same label.
 * @param date when the turns before the first dated one were said
 */
export function toSessions(turns: readonly Turn[], date?: Moment): readonly Session[] {
  const groups: { date: Moment | undefined; turns: Turn[] }[] = [];
  for (const turn of turns) {
    const last = groups.at(-1);
    const moment = turn.at ?? last?.date ?? date;
    const isSameDay = last !== undefined && last.date?.slice(0, 10) === moment?.slice(0, 10);
    if (isSameDay) last.turns.push(turn);
    else groups.push({ date: moment, turns: [turn] });
  }
  return toUniqueLabels(
    groups.map((group) => ({ ...group, label: group.date === undefined ? '1' : toWallDate(group.date) })),
  );
}

/** A session before its label is known to be the only one of its kind. */
export interface LabelledTurns {
  readonly label: string;
  readonly date?: Moment | undefined;
  readonly turns: readonly Turn[];
}

/** Tells sessions of the same label apart by their order, and leaves out those without turns. */
export function toUniqueLabels(groups: readonly LabelledTurns[]): readonly Session[] {
  const seen = new Map<string, number>();
  return groups
    .filter(({ turns }) => turns.length > 0)
    .map(({ label, date, turns }) => {
      const count = (seen.get(label) ?? 0) + 1;
      seen.set(label, count);
      return { label: count === 1 ? label : `${label} (${count})`, ...(date !== undefined && { date }), turns };
    });
}

/** Whether a message of it was marked as private as a whole. */
export function hasPrivate({ sessions }: Conversation): boolean {
  return sessions.some(({ turns }) => turns.some(({ isPrivate }) => isPrivate));
}

/** How many turns of a conversation say something. */
export function countTurns({ sessions }: Conversation): number {
  return sessions.reduce((sum, { turns }) => sum + turns.filter(({ text }) => text !== '').length, 0);
}

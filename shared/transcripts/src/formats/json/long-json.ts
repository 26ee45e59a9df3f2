import { isContextloomError, turnInputSchema } from '@contextloom/contracts';
import type { Moment } from '@contextloom/retrieval/time';
import { isRecord, readDate, readShape, readTime, under } from '../read.ts';
import type { FoundTurn, Out, Sink } from '../reader.ts';
import { createJsonSink, type FoundValue } from '../sinks/json-sink.ts';
import { unreadable } from '../unreadable.ts';
import { refuseForeignTurn } from './json.ts';

/** Keys of a conversation that stand above its turns. */
const HEADS = ['conversation_id', 'id', 'date'];
const LISTS = ['turns', 'messages'];
const VOICES: readonly (string | undefined)[] = ['assistant', 'system'] satisfies FoundTurn['role'][];

/** Whether a JSON value is one conversation whose turns stand in sessions: `{sessions: [{date, turns}]}`. */
export function isSessionList(json: unknown): boolean {
  return isRecord(json) && Array.isArray(json['sessions']);
}

/** Whether a JSON value is one conversation whose turns stand in one list: `[{role, content}]` or `{turns: […]}`. */
export function isTurnList(json: unknown): boolean {
  if (Array.isArray(json))
    return json.every((turn) => isRecord(turn) && !['turns', 'messages', 'sessions'].some((key) => key in turn));
  return isRecord(json) && LISTS.some((key) => Array.isArray(json[key])) && !('sessions' in json);
}

/** @throws ContextloomError `invalid` for what is no turn of ours */
function toFound(value: unknown, at: string, day: Moment | undefined): FoundTurn {
  refuseForeignTurn(value, at);
  const { id, speaker, role, content, text = content, timestamp } = readShape(turnInputSchema, value, at);
  if (text === undefined) throw unreadable(`${at} has neither "content" nor "text"`);
  const voice = VOICES.includes(role) ? (role as FoundTurn['role']) : undefined;
  const who = speaker === undefined && role === 'user' ? { role } : { speaker: speaker ?? role, role: voice };
  return { id, ...who, text, at: readTime(timestamp, under(at, 'timestamp'), day) ?? day } as FoundTurn;
}

/** The name and the date of a conversation, or of a session, as they come. */
function createHead() {
  const values = new Map<string, unknown>();
  return {
    set: (key: string, value: unknown): void => void values.set(key, value),
    clear: (): void => values.clear(),
    toId: (): string | undefined => {
      const id = values.get('conversation_id') ?? values.get('id');
      return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
    },
    toDay: (): Moment | undefined => {
      const stated = values.get('date');
      return typeof stated === 'string' || typeof stated === 'number' ? readDate(stated, 'date') : undefined;
    },
  };
}

/**
 * Reads one conversation turn by turn, without keeping the whole: a turn that cannot be read is named, and the rest goes on. Its name
 * and date, and those of each session, have to stand above the turns.
 */
export function createLongJson(json: unknown, out: Out, date: Moment | undefined): Sink {
  const head = createHead();
  const session = createHead();
  let day = date;
  let isBegun = false;
  let number: number | undefined;
  const begin = (): void => {
    isBegun = true;
    const id = head.toId();
    if (id !== undefined) out.conversation({ id });
    day = head.toDay() ?? date;
  };
  const readOne = (value: unknown, at: string, own: Moment | undefined): void => {
    try {
      out.turn(toFound(value, at, own));
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      out.fault(at, error.message, error);
    }
  };
  const take = ({ value, path }: FoundValue): void => {
    const [key, index] = path;
    const last = path.at(-1);
    const isInSession = key === 'sessions';
    if (isInSession && index !== number) session.clear();
    if (isInSession) number = Number(index);
    if (typeof last !== 'number') {
      (isInSession ? session : head).set(String(last), value);
      return;
    }
    if (!isBegun) begin();
    if (isInSession) readOne(value, `sessions[${index}].turns[${last}]`, session.toDay() ?? day);
    else readOne(value, `turns[${last}]`, day);
  };
  const paths = ['$.', '$.sessions.*.'].flatMap((place) => [
    ...HEADS.map((key) => `${place}${key}`),
    ...LISTS.map((key) => `${place}${key}.*`),
  ]);
  return createJsonSink(Array.isArray(json) ? ['$.*'] : paths, take);
}

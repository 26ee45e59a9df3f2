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

/**
 * Reads one conversation turn by turn, without keeping the whole: a turn that cannot be read is named, and the rest goes on. Its name
 * and date have to stand above its turns.
 */
export function createLongJson(json: unknown, out: Out, date: Moment | undefined): Sink {
  const head = new Map<string, unknown>();
  let day = date;
  let isBegun = false;
  const begin = (): void => {
    isBegun = true;
    const id = head.get('conversation_id') ?? head.get('id');
    const told = head.get('date');
    if (typeof id === 'string' || typeof id === 'number') out.conversation({ id: String(id) });
    if (typeof told === 'string' || typeof told === 'number') day = readDate(told, 'date') ?? date;
  };
  const readOne = (value: unknown, at: string): void => {
    try {
      out.turn(toFound(value, at, day));
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      out.fault(at, error.message, error);
    }
  };
  const take = ({ value, path }: FoundValue): void => {
    const last = path.at(-1);
    if (typeof last !== 'number') {
      head.set(String(path[0]), value);
      return;
    }
    if (!isBegun) begin();
    readOne(value, `turns[${last}]`);
  };
  const paths = [...HEADS.map((key) => `$.${key}`), ...LISTS.map((key) => `$.${key}.*`)];
  return createJsonSink(Array.isArray(json) ? ['$.*'] : paths, take);
}

import { turnInputSchema } from '@contextloom/contracts';
import { type Conversation, type Session, type Turn, toSessions, toUniqueLabels } from '../transcript.ts';
import { toJsonTurn } from './json.ts';
import { findJsonFormat } from './json-formats.ts';
import { findJsonFault } from './json-syntax.ts';
import { dateSchema, isRecord, nameSchema, type ReadOptions, readDate, readShape, under } from './read.ts';
import { unreadable } from './unreadable.ts';

interface TurnLine {
  readonly conversation: string | undefined;
  readonly session: string | undefined;
  readonly turn: Turn;
}

function parseLine(line: string, at: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw unreadable(`${at} is not JSON: expected ${findJsonFault(line)?.expected ?? 'a value'}`, cause);
  }
}

function readTurnLine(value: Readonly<Record<string, unknown>>, { at, date }: ReadOptions): TurnLine {
  const day = readDate(readShape(dateSchema, value['date'], under(at, 'date')), under(at, 'date')) ?? date;
  const turn = toJsonTurn(readShape(turnInputSchema, value, at), at, day);
  return {
    conversation: readShape(nameSchema, value['conversation_id'], under(at, 'conversation_id')),
    session: readShape(nameSchema, value['session'], under(at, 'session')),
    turn: turn.at === undefined && day !== undefined ? { ...turn, at: day } : turn,
  };
}

/** Sessions as the lines name them (a line without a name belongs to the session before it), else by day. */
function groupBySession(lines: readonly TurnLine[]): readonly Session[] {
  if (lines.every(({ session }) => session === undefined)) return toSessions(lines.map(({ turn }) => turn));
  const groups = new Map<string, Turn[]>();
  let label = '1';
  for (const { session, turn } of lines) {
    label = session ?? label;
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [turn]);
    else group.push(turn);
  }
  return toUniqueLabels([...groups].map(([name, turns]) => ({ label: name, date: turns[0]?.at, turns })));
}

/**
 * Reads JSON Lines: a turn a line, with optional `conversation_id`, `session` and `date`; or a whole conversation a line.
 */
export function readJsonLines(lines: readonly string[], { date }: Pick<ReadOptions, 'date'>): readonly Conversation[] {
  const whole: Conversation[] = [];
  const byConversation = new Map<string | undefined, TurnLine[]>();
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const at = `line ${index + 1}`;
    const value = parseLine(line, at);
    if (!isRecord(value)) throw unreadable(`${at} is not a JSON object`);
    const format = findJsonFormat(value);
    if (format !== undefined) whole.push(format.read(value, { at, date }));
    else {
      const read = readTurnLine(value, { at, date });
      const found = byConversation.get(read.conversation);
      if (found === undefined) byConversation.set(read.conversation, [read]);
      else found.push(read);
    }
  });
  const gathered = [...byConversation].map(([id, found]) => ({
    ...(id !== undefined && { id }),
    sessions: groupBySession(found),
  }));
  return [...whole, ...gathered];
}

import { isContextloomError, turnInputSchema } from '@contextloom/contracts';
import type { Moment } from '@contextloom/retrieval/time';
import { type Session, type Turn, toSessions, toUniqueLabels } from '../../transcript.ts';
import { dateSchema, nameSchema, type ReadOptions, readDate, readShape, under } from '../read.ts';
import type { Out, Sink } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { refuseForeignTurn, toJsonTurn } from './json.ts';
import { findJsonFormat } from './json-formats.ts';

interface TurnLine {
  readonly conversation: string | undefined;
  readonly session: string | undefined;
  readonly turn: Turn;
}

/** Lines of conversations that take turns wait for each other up to so many characters. */
const MAX_WAITING = 32 * 1024 * 1024;

function readTurnLine(value: Readonly<Record<string, unknown>>, { at, date }: ReadOptions): TurnLine {
  refuseForeignTurn(value, at);
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
export function createTurnLines(out: Out, date: Moment | undefined): Sink {
  const waiting = new Map<string | undefined, TurnLine[]>();
  let length = 0;
  const flush = (): void => {
    for (const [id, lines] of waiting) out.whole({ ...(id !== undefined && { id }), sessions: groupBySession(lines) });
    waiting.clear();
    length = 0;
  };
  const add = (line: TurnLine): void => {
    const found = waiting.get(line.conversation);
    if (found === undefined) waiting.set(line.conversation, [line]);
    else found.push(line);
    length += line.turn.text.length;
    if (length > MAX_WAITING) flush();
  };
  const onValue = (value: Readonly<Record<string, unknown>>, at: string): void => {
    const format = findJsonFormat(value);
    try {
      if (format === undefined) add(readTurnLine(value, { at, date }));
      else out.whole(format.read(value, { at, date }));
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      out.fault(at, error.message, error);
    }
  };
  return createJsonLineSink(onValue, out, flush);
}

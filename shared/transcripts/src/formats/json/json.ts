import { type TurnInput, turnInputSchema, withoutNulls } from '@contextloom/contracts';
import type { Moment } from '@contextloom/retrieval/time';
import { z } from 'zod';
import {
  type Conversation,
  type LabelledTurns,
  type Turn,
  toSessions,
  toTurn,
  toUniqueLabels,
} from '../../transcript.ts';
import { dateSchema, isRecord, nameSchema, type ReadOptions, readDate, readShape, readTime, under } from '../read.ts';
import { unreadable } from '../unreadable.ts';

const turnsSchema = z.array(turnInputSchema, { error: 'must be a list of turns' });
const turnListFields = { date: dateSchema, turns: turnsSchema.optional(), messages: turnsSchema.optional() };
const sessionSchema = z.preprocess(withoutNulls, z.object({ id: nameSchema, label: nameSchema, ...turnListFields }));
const conversationSchema = z.preprocess(
  withoutNulls,
  z.object({
    conversation_id: nameSchema,
    id: nameSchema,
    sessions: z.array(sessionSchema, { error: 'must be a list of sessions' }).optional(),
    ...turnListFields,
  }),
);

/** Makes one turn of its JSON; `day` is its session's. */
export function toJsonTurn(input: TurnInput, at: string, day: Moment | undefined): Turn {
  const text = input.content ?? input.text;
  if (text === undefined) throw unreadable(`${at} has neither "content" nor "text"`);
  const { id, speaker, role } = input;
  return toTurn({ id, speaker, role, text, at: readTime(input.timestamp, under(at, 'timestamp'), day) });
}

function toJsonTurns(inputs: readonly TurnInput[], at: string, day: Moment | undefined): readonly Turn[] {
  return inputs.map((input, index) => toJsonTurn(input, `${at}[${index}]`, day));
}

/** What other programs call who speaks: read as ours, everybody would become the user. */
const FOREIGN = [
  'sender',
  'sender_name',
  'senderName',
  'from',
  'author',
  'user',
  'username',
  'nickname',
  'name',
  'creator',
];

/** Refuses a list in which turns name their speaker in a key that is not ours. */
function refuseForeignTurns(list: unknown, at: string): void {
  if (!Array.isArray(list)) return;
  for (const [index, turn] of list.entries()) refuseForeignTurn(turn, `${at}[${index}]`);
}

/** What a turn may have that does not tell who speaks: of such turns alone the user is the speaker. */
const OWN = new Set(['id', 'content', 'text', 'parts', 'timestamp', 'date', 'session', 'conversation_id']);
/** So many keys show which program wrote a turn. */
const SHOWN_KEYS = 6;

/**
 * Refuses what other programs write about messages: read as a turn without a speaker, it would become the user's words.
 * @throws ContextloomError `invalid` for a turn that does not tell in our keys who speaks, and has keys of others
 */
export function refuseForeignTurn(turn: unknown, at: string): void {
  if (!isRecord(turn) || turn['role'] != null || turn['speaker'] != null) return;
  const key = FOREIGN.find((one) => turn[one] != null);
  if (key !== undefined) throw unreadable(`${at} names who speaks in "${key}", which is "speaker" or "role" here`);
  const keys = Object.keys(turn).filter((one) => turn[one] != null);
  // What has no words is refused for that.
  if (keys.every((one) => OWN.has(one)) || !('content' in turn || 'text' in turn)) return;
  const shown = keys.slice(0, SHOWN_KEYS).map((one) => JSON.stringify(one.slice(0, 40)));
  throw unreadable(`${at} has neither "speaker" nor "role", but ${shown.join(', ')}`);
}

/** A list of turns, already parsed by the tools' schema, as a conversation. */
export function toTurnListConversation(inputs: readonly TurnInput[], { at, date }: ReadOptions): Conversation {
  return { sessions: toSessions(toJsonTurns(inputs, at, date), date) };
}

/** Reads a bare list of turns: `[{role|speaker, content|text, timestamp?}]`. */
export function readTurnList(value: unknown, options: ReadOptions): Conversation {
  refuseForeignTurns(value, options.at);
  return toTurnListConversation(readShape(turnsSchema, value, options.at), options);
}

/** Whether a JSON value is one conversation in our own form. */
export function isConversation(value: unknown): boolean {
  return isRecord(value) && ('turns' in value || 'messages' in value || 'sessions' in value);
}

function refuseForeignConversation(value: unknown, at: string): void {
  if (!isRecord(value)) return;
  refuseForeignTurns(value['turns'] ?? value['messages'], under(at, 'turns'));
  const sessions: readonly unknown[] = Array.isArray(value['sessions']) ? value['sessions'] : [];
  for (const [index, session] of sessions.entries())
    if (isRecord(session))
      refuseForeignTurns(session['turns'] ?? session['messages'], under(at, `sessions[${index}].turns`));
}

/** Reads `{conversation_id?, date?, turns|messages}` and `{conversation_id?, sessions: [{date, turns|messages}]}`. */
export function readConversation(value: unknown, { at, date }: ReadOptions): Conversation {
  refuseForeignConversation(value, at);
  const input = readShape(conversationSchema, value, at);
  const id = input.conversation_id ?? input.id;
  const day = readDate(input.date, under(at, 'date')) ?? date;
  const own = input.turns ?? input.messages;
  const sessions =
    input.sessions === undefined
      ? toSessions(toJsonTurns(own ?? [], under(at, 'turns'), day), day)
      : toUniqueLabels(
          input.sessions.map((session, index) => toSession(session, under(at, `sessions[${index}]`), index, day)),
        );
  return { ...(id !== undefined && { id }), sessions };
}

function toSession(
  input: z.output<typeof sessionSchema>,
  at: string,
  index: number,
  conversationDate: Moment | undefined,
): LabelledTurns {
  const day = readDate(input.date, under(at, 'date')) ?? conversationDate;
  const turns = toJsonTurns(input.turns ?? input.messages ?? [], under(at, 'turns'), day);
  return { label: input.label ?? input.id ?? String(index + 1), date: day ?? turns.find((turn) => turn.at)?.at, turns };
}

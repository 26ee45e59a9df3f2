import type { Moment } from '@contextloom/retrieval/time';
import { type Conversation, countTurns } from '../transcript.ts';
import { readTurnList } from './json.ts';
import { findJsonFormat } from './json-formats.ts';
import { findJsonFault } from './json-syntax.ts';
import { readJsonLines } from './jsonl.ts';
import { isRecord, type ReadOptions } from './read.ts';
import { readTextLines } from './text-lines.ts';
import { unreadable } from './unreadable.ts';

/** `{{user}}: …` and `[19:20] Anna: …` begin with a bracket and are no JSON. */
const LOOKS_LIKE_JSON = /^\s*(?:\{(?!\{)|\[\s*[[{"\]])/u;

/**
 * Reads a conversation, or several, from text in any of the formats.
 * @param date when it took place, for turns without a date of their own
 * @throws ContextloomError `invalid`, saying what is wrong in which line and which formats are read
 */
export function parseTranscript(text: string, date?: Moment): readonly Conversation[] {
  const clean = text.replace(/^\uFEFF/u, '');
  if (clean.includes('\0')) {
    throw unreadable(
      `line ${clean.slice(0, clean.indexOf('\0')).split('\n').length} holds a NUL character, so it is no text`,
    );
  }
  const isJson = LOOKS_LIKE_JSON.test(clean) || isBareJson(clean);
  const conversations = isJson ? readJsonText(clean, date) : [readTextLines(toLines(clean), date)];
  const spoken = conversations.filter((conversation) => countTurns(conversation) > 0);
  if (spoken.length === 0) throw unreadable('nothing is said in it');
  return spoken;
}

/** Whether it is `null`, `5`, `[1, 2]` or a text encoded as JSON; words between plain quotes are words. */
function isBareJson(text: string): boolean {
  if (!/^\s*(?:[-\d["]|null|true|false)/u.test(text)) return false;
  try {
    return typeof JSON.parse(text) !== 'string' || text.includes('\\');
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function toLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/u);
}

function readJsonText(text: string, date: Moment | undefined): readonly Conversation[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const lines = toLines(text);
    const first = lines.find((line) => line.trim() !== '') ?? '';
    if (isWholeObject(first)) return readJsonLines(lines, { date });
    const fault = findJsonFault(text);
    const where = fault === undefined ? '' : `: line ${fault.line}: expected ${fault.expected}`;
    throw unreadable(`it begins like JSON but is not${where}`, cause);
  }
  return readJsonValue(value, { date, at: '' });
}

/** Whether a line is a JSON object by itself: the mark of JSON Lines. */
function isWholeObject(line: string): boolean {
  return line.trimStart().startsWith('{') && findJsonFault(line) === undefined;
}

function readJsonValue(value: unknown, { date, at }: ReadOptions): readonly Conversation[] {
  if (!Array.isArray(value)) return [readJsonObject(value, { date, at })];
  if (value.every((item) => findJsonFormat(item) === undefined)) return [readTurnList(value, { date, at: 'turns' })];
  return value.map((item, index) => readJsonObject(item, { date, at: `conversations[${index}]` }));
}

function readJsonObject(value: unknown, options: ReadOptions): Conversation {
  const format = findJsonFormat(value);
  if (format !== undefined) return format.read(value, options);
  if (isRecord(value) && ('content' in value || 'parts' in value || 'text' in value))
    return readTurnList([value], { ...options, at: 'turns' });
  throw unreadable(
    `${options.at === '' ? 'the JSON' : options.at} has none of the keys "turns", "messages", "sessions" and "conversation"`,
  );
}

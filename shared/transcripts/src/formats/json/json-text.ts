import type { Moment } from '@contextloom/retrieval/time';
import type { Conversation } from '../../transcript.ts';
import { isRecord, type ReadOptions } from '../read.ts';
import { unreadable } from '../unreadable.ts';
import { readTurnList } from './json.ts';
import { findJsonFormat } from './json-formats.ts';
import { findJsonFault } from './json-syntax.ts';

/**
 * Reads a JSON text of our own forms, or of LoCoMo's.
 * @throws ContextloomError `invalid`, saying what is wrong where
 */
export function readJsonText(text: string, date: Moment | undefined): readonly Conversation[] {
  const json = text.replace(/^\uFEFF/u, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const { line, problem } = findJsonFault(json) ?? { problem: 'expected a value' };
    const place = line === undefined ? '' : `line ${line}: `;
    throw unreadable(`it begins like JSON but is not: ${place}${problem}`, cause);
  }
  return readJsonValue(value, { date, at: '' });
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

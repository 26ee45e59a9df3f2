import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Conversation } from '../../transcript.ts';
import { findJsonFormat } from '../json/json-formats.ts';
import { readJsonText } from '../json/json-text.ts';
import { createTurnLines } from '../json/jsonl.ts';
import { createLongJson, isSessionList, isTurnList } from '../json/long-json.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader, Sink } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { createSpokenLines } from '../text/text-lines.ts';

/** A JSON text that is read as one value may be so long, in characters: conversations of LoCoMo have 100,000. */
const MAX_JSON = 256 * 1024 * 1024;
/** Longer lists of turns or sessions are read turn by turn, in characters. */
const LONG = 32 * 1024 * 1024;

/** Whether a JSON text is a list of turns of which some tell in our keys who speaks. */
function hasOwnTurns(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  const turns = isRecord(value) ? (value['turns'] ?? value['messages']) : value;
  const isOwn = (turn: unknown): boolean => isRecord(turn) && (turn['role'] != null || turn['speaker'] != null);
  return isTurnList(value) && Array.isArray(turns) && turns.some(isOwn);
}

/** Reads a JSON text as one value. Of a list in which some turns cannot be read, these are named, and the rest goes on. */
function readWhole(text: string, out: Out, date: string | undefined) {
  let conversations: readonly Conversation[] = [];
  try {
    conversations = readJsonText(text, date);
  } catch (error) {
    if (!isContextloomError(error) || !hasOwnTurns(text)) throw error;
    const isList = /^\s*\[/u.test(text);
    const turns = createLongJson(isList ? [] : {}, out, date);
    turns.write(text);
    turns.end();
  }
  for (const conversation of conversations) out.whole(conversation);
}

/** Reads a JSON text as one value; one that turns out to be long, and has turns or sessions in a list, turn by turn. */
function createWholeJson(json: unknown, out: Out, date: string | undefined): Sink {
  const pieces: string[] = [];
  let length = 0;
  let long: Sink | undefined;
  return {
    write: (text) => {
      if (long !== undefined) return long.write(text);
      pieces.push(text);
      length += text.length;
      if (length > LONG && (isTurnList(json) || isSessionList(json))) {
        long = createLongJson(json, out, date);
        for (const piece of pieces.splice(0)) long.write(piece);
      } else if (length > MAX_JSON) {
        throw new ContextloomError(
          'too_large',
          'one conversation in the form of LoCoMo may have 256 MB; turns, sessions and JSONL have no limit',
        );
      }
    },
    end: () => {
      if (long !== undefined) return long.end();
      readWhole(pieces.join(''), out, date);
    },
  };
}

/** Reads a list of conversations one by one: a bad one is named, and the rest goes on. */
function createConversations(out: Out, date: string | undefined): Sink {
  return createJsonSink(['$.*'], ({ value, path }) => {
    const at = `conversations[${path[0]}]`;
    const format = findJsonFormat(value);
    if (format === undefined) return out.fault(at, 'it is no conversation');
    try {
      out.whole(format.read(value, { date, at }));
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      out.fault(at, error.message, error);
    }
  });
}

/** Our own JSON, and LoCoMo's. */
export const ownJson: Reader = {
  name: 'json',
  title: 'JSON conversation',
  detect: ({ json, jsonLines }) => json !== undefined && jsonLines === undefined,
  read: (out, { date, sample: { json } }) => {
    const isList =
      Array.isArray(json) &&
      json.length > 0 &&
      json.every((item) => isRecord(item) && findJsonFormat(item) !== undefined);
    return isList ? createConversations(out, date) : createWholeJson(json, out, date);
  },
};

/** Our own JSON Lines: a turn a line, or a conversation a line. */
export const ownJsonLines: Reader = {
  name: 'jsonl',
  title: 'JSONL conversation',
  detect: ({ jsonLines }) => jsonLines !== undefined,
  read: (out, { date }) => createTurnLines(out, date),
};

/** Lines of `Name: words`, and text without names. */
export const ownText: Reader = {
  name: 'text',
  title: '"Name: words" text',
  detect: ({ json, jsonLines }) => json === undefined && jsonLines === undefined,
  read: (out, { date, sample }) => createSpokenLines(out, sample, date),
};

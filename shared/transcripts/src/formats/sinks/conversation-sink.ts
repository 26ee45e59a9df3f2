import { isRecord } from '../read.ts';
import type { Out, Sample, Sink } from '../reader.ts';
import { createJsonLineSink } from './json-line-sink.ts';
import { createJsonSink } from './json-sink.ts';

type Known = (value: unknown) => boolean;

/** Keys under which programs that pass an export on put its list. */
const KEYS = ['conversations', 'items', 'data'];

function findKey(json: unknown, isKnown: Known): string | undefined {
  if (!isRecord(json)) return undefined;
  return KEYS.find((key) => {
    const list = json[key];
    return Array.isArray(list) && list.some(isKnown);
  });
}

/** Whether a text has conversations of an export: a list of them, a list under a key, one alone, or one a line. */
export function hasConversations({ json, jsonLines }: Sample, isKnown: Known): boolean {
  if (jsonLines !== undefined && jsonLines.length > 1) return jsonLines.some(isKnown);
  return Array.isArray(json) ? json.some(isKnown) : isKnown(json) || findKey(json, isKnown) !== undefined;
}

interface ConversationSinkOptions {
  readonly sample: Sample;
  readonly isKnown: Known;
  readonly out: Out;
}

/** Hands on the conversations of such a text one by one, each with its place. */
export function createConversationSink(
  { sample: { json, jsonLines }, isKnown, out }: ConversationSinkOptions,
  onConversation: (value: unknown, at: string) => void,
): Sink {
  if (jsonLines !== undefined && jsonLines.length > 1) return createJsonLineSink(onConversation, out);
  const key = findKey(json, isKnown);
  if (key === undefined && !Array.isArray(json))
    return createJsonSink(['$'], ({ value }) => onConversation(value, 'the conversation'));
  return createJsonSink([key === undefined ? '$.*' : `$.${key}.*`], ({ value, path }) =>
    onConversation(value, `conversation ${Number(path.at(-1)) + 1}`),
  );
}

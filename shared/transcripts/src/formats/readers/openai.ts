import { toRowTime } from '../chat-row.ts';
import { asText, fromSeconds, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { asList, findItems } from './openai-items.ts';

type Value = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<'user' | 'assistant' | 'system', readonly string[]>> = {
  user: ['user', 'human', 'prompt'],
  assistant: ['assistant', 'gpt', 'chatgpt', 'model', 'bing', 'bard', 'response'],
  system: ['system', 'developer', 'tool', 'function', 'observation', 'function_call'],
};
const ROLES = new Map(
  (['user', 'assistant', 'system'] as const).flatMap((role) => NAMES[role].map((name) => [name, role] as const)),
);
const IMAGES = new Set(['image', 'image_url', 'input_image']);

/** A part of a thread keeps its words one level deeper; what a model thought is no part of its answer. */
function toPart(part: unknown): readonly unknown[] {
  if (!isRecord(part)) return [part];
  if (part['thought'] === true) return [];
  return isRecord(part['text']) ? [{ ...part, text: part['text']['value'] }] : [part];
}

function toText(content: unknown): string {
  const parts = Array.isArray(content) ? content.flatMap(toPart) : [];
  const images = parts.filter((part) => isRecord(part) && (IMAGES.has(String(part['type'])) || 'inlineData' in part));
  const words = toPartsText(Array.isArray(content) ? parts : content);
  return [words, ...images.map(() => '[image]')].filter((text) => text !== '').join('\n');
}

/** Where programs that keep messages of this form put their times. */
const TIMES = ['created_at', 'createdAt', 'create_time', 'time', 'date'];

/** When a message was said: seconds since 1970, or as extensions of browsers write it, `3/5/2024, 9:00:00 AM`. */
function toItemTime(item: Value): Pick<FoundTurn, 'at' | 'wall'> | undefined {
  const at = fromSeconds(item['created_at']);
  if (at !== undefined) return { at };
  const stated = TIMES.map((key) => item[key]).find(
    (one) => typeof one === 'number' || (typeof one === 'string' && one !== ''),
  );
  return stated === undefined ? undefined : toRowTime(String(stated));
}

/** One message or item; what is no message (calls, results, reasoning) is left out. */
function readItem(item: unknown, at: string, out: Out, time: Pick<FoundTurn, 'at'>) {
  if (typeof item === 'string') return out.turn({ role: 'user', text: item, ...time });
  if (!isRecord(item)) return out.fault(at, 'a message must be an object');
  const type = asText(item['type']);
  if (type !== undefined && type !== 'message')
    return out.leftOut('call of a tool, or thought', at, toText(item['content'] ?? item['output']));
  // A request to Gemini may leave out that the user asks.
  const named = asText(item['role']) ?? asText(item['from']) ?? ('parts' in item ? 'user' : undefined);
  const role = named === undefined ? undefined : ROLES.get(named.toLowerCase());
  if (named === undefined) return out.fault(at, 'a message has no role');
  const text = toText(item['content'] ?? item['value'] ?? item['parts'] ?? item['say']);
  if (role === 'system') return out.leftOut('message of the system or of a tool', at, text);
  if (text.trim() === '') return out.leftOut('call of a tool, or thought', at, '');
  const when = toItemTime(item) ?? time;
  out.turn({ role: role ?? 'other', ...(role === undefined && { speaker: named }), text, ...when });
}

function readValue(value: unknown, at: string, out: Out) {
  const items = isRecord(value) ? findItems(value) : undefined;
  if (!isRecord(value) || items === undefined) return out.fault(at, 'it has no messages');
  const id = asText(value['custom_id']) ?? asText(value['id']);
  out.conversation({ ...(id !== undefined && { id: `openai-${id}`.slice(0, 200) }) });
  const time = { at: fromSeconds(value['created_at'] ?? value['created']) };
  for (const [index, item] of items.entries()) readItem(item, `${at}, message ${index + 1}`, out, time);
}

/** Whether a value is one of these forms; `{messages: […]}` alone is our own form too, and is read there. */
function isForm(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['object'] === 'response' || value['object'] === 'chat.completion') return true;
  if (value['object'] === 'list') return asList(value['data']).some((item) => isRecord(item) && 'role' in item);
  if (OTHERS.some((keys) => keys.every((key) => key in value))) return findItems(value) !== undefined;
  if (isRecord(value['body']) && ('custom_id' in value || 'method' in value)) return true;
  if (isRecord(value['input']) && 'preferred_output' in value) return true;
  if ('input' in value && ('model' in value || Array.isArray(value['input']))) return findItems(value) !== undefined;
  const [first] = asList(value['conversations']);
  if (isRecord(first) && (('from' in first && 'value' in first) || ('role' in first && 'content' in first)))
    return true;
  if (Array.isArray(value['messages']) && value['messages'].length > 0)
    return (
      value['messages'].every(
        (item) =>
          isRecord(item) &&
          typeof item['role'] === 'string' &&
          !['timestamp', 'speaker', 'parts', 'text'].some((key) => key in item) &&
          !('speaker' in item),
      ) && !('turns' in value || 'sessions' in value || 'conversation_id' in value || 'date' in value || 'id' in value)
    );
  return typeof value['prompt'] === 'string' && typeof value['completion'] === 'string';
}

/** What examples for fine-tuning consist of in other forms: Gemini's, Alpaca's, Qwen's, preferences, pairs. */
const OTHERS = [
  ['contents'],
  ['instruction', 'output'],
  ['query', 'response'],
  ['chosen', 'rejected'],
  ['conversation'],
];

const OWN_KEYS = ['timestamp', 'speaker', 'parts', 'text', 'ts'];

const isOfProgram = ({ role, content, tool_calls: calls }: Value): boolean =>
  content === null || calls !== undefined || (typeof role === 'string' && ROLES.get(role.toLowerCase()) === 'system');

/** Responses items alone, messages of a program with instructions and calls of tools, or Gemini's contents. */
function isItems(json: unknown): boolean {
  if (!Array.isArray(json) || json.length === 0 || !json.every(isRecord)) return false;
  if (json.every(({ role, parts }) => (role === 'user' || role === 'model') && Array.isArray(parts))) return true;
  const isMessage = (item: Value): boolean =>
    'role' in item && 'content' in item && !OWN_KEYS.some((key) => key in item);
  const hasItems = json.some((item) => item['type'] === 'message' && isMessage(item));
  const areMessages = json.every((item) => typeof item['role'] === 'string' && !OWN_KEYS.some((key) => key in item));
  const isCalled = json.some((item) => !('content' in item) || isOfProgram(item));
  return hasItems || (areMessages && json.some(isMessage) && isCalled);
}

/** Requests and answers of OpenAI's interfaces, and examples for fine-tuning, one or many. */
export const openai: Reader = {
  name: 'openai',
  title: 'OpenAI messages',
  detect: ({ json, jsonLines }) =>
    jsonLines !== undefined && jsonLines.length > 1
      ? jsonLines.some(isForm)
      : isItems(json) || (Array.isArray(json) ? json.some(isForm) : isForm(json)),
  read: (out, { sample: { json, jsonLines } }) => {
    if (jsonLines !== undefined && jsonLines.length > 1)
      return createJsonLineSink((value, at) => readValue(value, at, out), out);
    if (isItems(json)) {
      return createJsonSink(['$.*'], ({ value, path }) => readItem(value, `message ${Number(path[0]) + 1}`, out, {}));
    }
    if (Array.isArray(json))
      return createJsonSink(['$.*'], ({ value, path }) => readValue(value, `entry ${Number(path[0]) + 1}`, out));
    return createJsonSink(['$'], ({ value }) => readValue(value, 'the request', out));
  },
};

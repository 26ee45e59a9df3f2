import { createJsonLineSink } from '../json-line-sink.ts';
import { createJsonSink } from '../json-sink.ts';
import { asText, fromSeconds, toPartsText } from '../json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';

type Value = Readonly<Record<string, unknown>>;

const ROLES: Readonly<Record<string, FoundTurn['role']>> = {
  ...{
    user: 'user',
    human: 'user',
    assistant: 'assistant',
    gpt: 'assistant',
    chatgpt: 'assistant',
    model: 'assistant',
  },
  ...{
    bing: 'assistant',
    bard: 'assistant',
    system: 'system',
    developer: 'system',
    tool: 'system',
    function: 'system',
  },
};
const IMAGES = new Set(['image', 'image_url', 'input_image']);

function toText(content: unknown): string {
  const images = Array.isArray(content)
    ? content.filter((part) => isRecord(part) && IMAGES.has(String(part['type'])))
    : [];
  return [toPartsText(content), ...images.map(() => '[image]')].filter((text) => text !== '').join('\n');
}

/** One message or item; what is no message (calls, results, reasoning) is left out. */
function readItem(item: unknown, at: string, out: Out, time: Pick<FoundTurn, 'at'>) {
  if (typeof item === 'string') return out.turn({ role: 'user', text: item, ...time });
  if (!isRecord(item)) return out.fault(at, 'a message must be an object');
  const type = asText(item['type']);
  if (type !== undefined && type !== 'message') return out.leftOut('call of a tool, or thought');
  const named = asText(item['role']) ?? asText(item['from']);
  const role = named === undefined ? undefined : ROLES[named.toLowerCase()];
  if (named === undefined) return out.fault(at, 'a message has no role');
  if (role === 'system') return out.leftOut('message of the system or of a tool');
  const text = toText(item['content'] ?? item['value']);
  if (text.trim() === '') return out.leftOut('call of a tool, or thought');
  out.turn({ role: role ?? 'participant', ...(role === undefined && { speaker: named }), text, ...time });
}

const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];

/** The messages of a request, an answer, an example for fine-tuning, or both halves of one; undefined when it has none. */
function findItems(value: Value): readonly unknown[] | undefined {
  const body = isRecord(value['body']) ? value['body'] : value;
  const { messages, input, output, conversations, choices, prompt, completion } = body;
  const asked = isRecord(input) ? asList(input['messages']) : asList(input);
  const preferred = asList(body['preferred_output']);
  const answered = asList(choices).flatMap((choice) =>
    isRecord(choice) && isRecord(choice['message']) ? [choice['message']] : [],
  );
  const found = [
    ...asList(messages),
    ...asList(conversations),
    ...asked,
    ...answered.slice(0, 1),
    ...(Array.isArray(output) ? output : []),
    ...preferred,
  ];
  if (found.length > 0) return found;
  if (typeof prompt === 'string' && typeof completion === 'string')
    return [
      { role: 'user', content: prompt },
      { role: 'assistant', content: completion },
    ];
  return undefined;
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
  if (isRecord(value['body']) && ('custom_id' in value || 'method' in value)) return true;
  if (isRecord(value['input']) && 'preferred_output' in value) return true;
  if ('input' in value && ('model' in value || Array.isArray(value['input']))) return findItems(value) !== undefined;
  const [first] = asList(value['conversations']);
  if (isRecord(first) && 'from' in first && 'value' in first) return true;
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

const OWN_KEYS = ['timestamp', 'speaker', 'parts', 'text', 'ts'];

/** Responses items alone, or messages among which calls of tools have no content: `[{type: 'message', role, content}, …]`. */
function isItems(json: unknown): boolean {
  if (!Array.isArray(json) || !json.every(isRecord)) return false;
  const isMessage = (item: Value): boolean =>
    'role' in item && 'content' in item && !OWN_KEYS.some((key) => key in item);
  const hasItems = json.some((item) => item['type'] === 'message' && isMessage(item));
  const areMessages = json.every((item) => typeof item['role'] === 'string' && !OWN_KEYS.some((key) => key in item));
  return hasItems || (areMessages && json.some(isMessage) && json.some((item) => !('content' in item)));
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

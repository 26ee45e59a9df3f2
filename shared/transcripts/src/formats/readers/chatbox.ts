import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { fromInstantText, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { CHATBOX_EXAMPLE_NAMES, CHATBOX_EXAMPLES } from '../templates/programs.ts';

const messageSchema = z.looseObject({
  role: z.string(),
  contentParts: z.array(z.unknown()).nullish(),
  content: z.string().nullish(),
  timestamp: z.number().nullish(),
  isSummary: z.boolean().nullish(),
});
const threadSchema = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  messages: z.array(z.unknown()),
});
const sessionSchema = threadSchema.extend({
  threadName: z.string().nullish(),
  threads: z.array(z.unknown()).nullish(),
});

function readMessages(messages: readonly unknown[], at: string, isExample: boolean, out: Out) {
  for (const [index, one] of messages.entries()) {
    const message = messageSchema.safeParse(one);
    if (!message.success) {
      out.fault(`${at}, message ${index + 1}`, 'it has no "role"');
      continue;
    }
    const { role, contentParts, content, timestamp, isSummary } = message.data;
    const place = `${at}, message ${index + 1}`;
    const text = toPartsText(contentParts ?? content ?? '');
    if (isExample && timestamp == null) out.leftOut('example of the program', place, text);
    else if (isSummary === true) out.leftOut('summary of the program', place, text);
    else readAssistantMessage({ role, text, ...fromInstantText(timestamp) }, place, out);
  }
}

/** A session, and the threads before the one that is open in it. */
function readSession(value: unknown, at: string, out: Out) {
  const read = sessionSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "messages"');
  const { name, threadName, threads, ...open } = read.data;
  // What the program wrote in the conversations that it brings along has no time.
  const isExample = CHATBOX_EXAMPLES.has(open.id ?? '') || CHATBOX_EXAMPLE_NAMES.has((name ?? '').trim());
  for (const [index, one] of [...(threads ?? []), { ...open, name: threadName || name }].entries()) {
    const thread = threadSchema.safeParse(one);
    if (!thread.success) {
      out.fault(`${at}, thread ${index + 1}`, 'it has no "messages"');
      continue;
    }
    const { id, name: title, messages } = thread.data;
    out.conversation({ ...(id != null && { id: `chatbox-${id}`.slice(0, 200) }), title: title || name || undefined });
    readMessages(messages, at, isExample, out);
  }
}

const KEY = 'session:';
const OLD = 'chat-sessions';

/** The export of Chatbox: a key for each session, in older versions one list; keys of providers and settings stand next to them. */
export const chatbox: Reader = {
  name: 'chatbox',
  title: 'Chatbox export',
  detect: ({ json }) =>
    isRecord(json) &&
    (Array.isArray(json[OLD]) ||
      'chat-sessions-list' in json ||
      Object.entries(json).some(([key, value]) => key.startsWith(KEY) && isRecord(value) && 'messages' in value)),
  read: (out, { sample: { json } }) => {
    const isOld = isRecord(json) && OLD in json;
    return createJsonSink([isOld ? `$.${OLD}.*` : '$.*'], ({ value, path: [first, next] }) => {
      if (isOld) readSession(value, `conversation ${Number(next) + 1}`, out);
      else if (String(first).startsWith(KEY)) readSession(value, `"${String(first).slice(0, 60)}"`, out);
    });
  },
};

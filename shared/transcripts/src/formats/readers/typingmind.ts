import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { fromInstantText, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const time = z.union([z.string(), z.number()]).nullish();
const chatSchema = z.looseObject({
  chatID: z.string().nullish(),
  id: z.string().nullish(),
  chatTitle: z.string().nullish(),
  messages: z.array(z.unknown()),
});
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  createdAt: time,
});

function readChat(value: unknown, at: string, out: Out) {
  const read = chatSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "messages"');
  const { chatID, id, chatTitle, messages } = read.data;
  const name = chatID ?? id;
  out.conversation({ ...(name != null && { id: `typingmind-${name}`.slice(0, 200) }), title: chatTitle || undefined });
  for (const [index, one] of messages.entries()) {
    const message = messageSchema.safeParse(one);
    if (!message.success) {
      out.fault(`${at}, message ${index + 1}`, 'it has no "role"');
      continue;
    }
    const { role, content, createdAt } = message.data;
    readAssistantMessage(
      { role, text: toPartsText(content ?? ''), ...fromInstantText(createdAt) },
      `${at}, message ${index + 1}`,
      out,
    );
  }
}

const isChat = (value: unknown): boolean =>
  isRecord(value) && ('chatID' in value || 'chatTitle' in value) && Array.isArray(value['messages']);

/** Where the chats stand: in an export of everything, in a list, or one alone. */
function findPath(json: unknown): string | undefined {
  const hasChats = (list: unknown): boolean => Array.isArray(list) && list.some(isChat);
  if (isRecord(json) && isRecord(json['data']) && hasChats(json['data']['chats'])) return '$.data.chats.*';
  if (isRecord(json) && hasChats(json['chats'])) return '$.chats.*';
  if (hasChats(json)) return '$.*';
  return isChat(json) ? '$' : undefined;
}

/** The export of TypingMind: all chats, or one. */
export const typingmind: Reader = {
  name: 'typingmind',
  title: 'TypingMind export',
  detect: ({ json }) => findPath(json) !== undefined,
  read: (out, { sample: { json } }) =>
    createJsonSink([findPath(json) ?? '$.data.chats.*'], ({ value, path }) =>
      readChat(value, path.length === 0 ? 'the chat' : `conversation ${Number(path.at(-1)) + 1}`, out),
    ),
};

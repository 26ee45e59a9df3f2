import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { fromInstantText, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Reader } from '../reader.ts';
import { type ChatExport, readChat } from '../sinks/chat-export.ts';
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

const chat: ChatExport<z.output<typeof chatSchema>, z.output<typeof messageSchema>> = {
  name: 'typingmind',
  title: 'TypingMind export',
  conversation: chatSchema,
  message: messageSchema,
  lacks: { conversation: 'it has no "messages"', message: 'it has no "role"' },
  head: ({ chatID, id, chatTitle }) => ({ id: chatID ?? id, title: chatTitle }),
  messages: ({ messages }) => messages,
  read: ({ role, content, createdAt }, at, out) =>
    readAssistantMessage({ role, text: toPartsText(content ?? ''), ...fromInstantText(createdAt) }, at, out),
};

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
  name: chat.name,
  title: chat.title,
  detect: ({ json }) => findPath(json) !== undefined,
  read: (out, { sample: { json } }) =>
    createJsonSink([findPath(json) ?? '$.data.chats.*'], ({ value, path }) =>
      readChat(chat, value, path.length === 0 ? 'the chat' : `conversation ${Number(path.at(-1)) + 1}`, out),
    ),
};

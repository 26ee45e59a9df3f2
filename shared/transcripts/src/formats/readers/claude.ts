import { z } from 'zod';
import { fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out } from '../reader.ts';
import { createChatReader, walkUp } from '../sinks/chat-export.ts';

const messageSchema = z.looseObject({
  uuid: z.string().nullish(),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  sender: z.string(),
  created_at: z.string().nullish(),
  parent_message_uuid: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
});
const conversationSchema = z.looseObject({
  uuid: z.string().nullish(),
  name: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
  current_leaf_message_uuid: z.string().nullish(),
});
type Message = z.output<typeof messageSchema>;

/**
 * The messages that lead to the one where the conversation stands: the leaf, or the last where the export tells none. All of them where
 * the way up from there does not end where the first message begins.
 */
function toBranch(messages: readonly Message[], leaf: string | null | undefined): readonly Message[] {
  const byId = new Map(messages.flatMap((message) => (message.uuid == null ? [] : [[message.uuid, message] as const])));
  const stated = leaf == null ? undefined : byId.get(leaf);
  const way = walkUp(stated ?? messages.at(-1), (message) => byId.get(message.parent_message_uuid ?? ''));
  const root = way[0]?.parent_message_uuid;
  const isWhole = stated === undefined && (root == null || root !== messages[0]?.parent_message_uuid);
  return isWhole ? messages : way;
}

const toWords = ({ content, text }: Message): string =>
  toPartsText(content ?? [], new Set(['text'])) || (content?.length ? '' : (text ?? ''));

function readMessage(message: Message, at: string, out: Out) {
  const { sender, created_at: created, attachments } = message;
  const words = toWords(message);
  if (sender !== 'human' && sender !== 'assistant') return out.leftOut('message of the system or of a tool', at, words);
  if (words.trim() === '' && (attachments ?? []).length > 0) return out.leftOut('attached file', at, '');
  out.turn({ role: sender === 'human' ? 'user' : 'assistant', text: words, ...fromIso(created) });
}

/** The conversations of Claude's data export. */
export const claude = createChatReader({
  name: 'claude',
  title: 'Claude export',
  isKnown: (value) => isRecord(value) && Array.isArray(value['chat_messages']),
  conversation: conversationSchema,
  message: messageSchema,
  lacks: { conversation: 'it has no "chat_messages"', message: 'it has no "sender"' },
  head: ({ uuid, name }) => ({ id: uuid, title: name }),
  messages: ({ chat_messages: messages }) => messages,
  branch: { choose: (messages, { current_leaf_message_uuid: leaf }) => toBranch(messages, leaf), toWords },
  read: readMessage,
});

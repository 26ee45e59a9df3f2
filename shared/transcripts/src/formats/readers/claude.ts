import { z } from 'zod';
import { fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createConversationSink, hasConversations } from '../sinks/conversation-sink.ts';

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
  const wanted = new Set<Message>();
  const told = leaf == null ? undefined : byId.get(leaf);
  let message = told ?? messages.at(-1);
  let top: Message | undefined;
  while (message !== undefined && !wanted.has(message)) {
    wanted.add(message);
    top = message;
    message = byId.get(message.parent_message_uuid ?? '');
  }
  const root = top?.parent_message_uuid;
  const isWhole = told === undefined && (root == null || root !== messages[0]?.parent_message_uuid);
  return isWhole ? messages : messages.filter((one) => wanted.has(one));
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

function readConversation(value: unknown, at: string, out: Out) {
  const read = conversationSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "chat_messages"');
  const { uuid, name, chat_messages: values, current_leaf_message_uuid: leaf } = read.data;
  out.conversation({ ...(uuid != null && { id: `claude-${uuid}` }), title: name || undefined });
  const messages = values.flatMap((one, index) => {
    const message = messageSchema.safeParse(one);
    if (message.success) return [message.data];
    out.fault(`${at}, message ${index + 1}`, 'it has no "sender"');
    return [];
  });
  const branch = toBranch(messages, leaf);
  const chosen = new Set(branch);
  for (const [index, message] of messages.entries()) {
    const place = `${at}, message ${index + 1}`;
    if (chosen.has(message)) readMessage(message, place, out);
    else out.leftOut('message of another branch', place, toWords(message));
  }
}

const isExported = (value: unknown): boolean => isRecord(value) && Array.isArray(value['chat_messages']);

/** The conversations of Claude's data export. */
export const claude: Reader = {
  name: 'claude',
  title: 'Claude export',
  detect: (sample) => hasConversations(sample, isExported),
  read: (out, { sample }) =>
    createConversationSink({ sample, isKnown: isExported, out }, (value, at) => readConversation(value, at, out)),
};

import { z } from 'zod';
import { asText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out } from '../reader.ts';
import { createChatReader, walkUp } from '../sinks/chat-export.ts';

const time = z.union([z.number(), z.string()]).nullish();
const messageSchema = z.looseObject({
  author: z.looseObject({ role: z.string() }),
  create_time: time,
  content: z.looseObject({
    content_type: z.string().optional(),
    parts: z.array(z.unknown()).nullish(),
    text: z.string().nullish(),
  }),
  recipient: z.string().nullish(),
  metadata: z.looseObject({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
});
const nodeSchema = z.looseObject({ message: z.unknown(), parent: z.string().nullish() });
const conversationSchema = z.looseObject({
  title: z.string().nullish(),
  create_time: time,
  mapping: z.record(z.string(), nodeSchema),
  current_node: z.string().nullish(),
  conversation_id: z.string().nullish(),
  id: z.string().nullish(),
});
type ExportedConversation = z.output<typeof conversationSchema>;

/** Where a conversation stands that does not tell: the last node that nothing answers. */
function findLeaf({ mapping }: ExportedConversation): string | undefined {
  const parents = new Set(Object.values(mapping).map(({ parent }) => parent));
  const toTime = (id: string): number => {
    const message = mapping[id]?.message;
    return isRecord(message) && typeof message['create_time'] === 'number' ? message['create_time'] : 0;
  };
  const leaves = Object.keys(mapping).filter((id) => !parents.has(id));
  return leaves.length === 0 ? undefined : leaves.reduce((last, id) => (toTime(id) >= toTime(last) ? id : last));
}

/** The nodes from the first to the one where the conversation stands: answers that were made again are other branches. */
function toBranch(conversation: ExportedConversation): readonly unknown[] {
  const { mapping, current_node: current } = conversation;
  const leaf = current != null && current in mapping ? current : findLeaf(conversation);
  return walkUp(leaf, (id) => mapping[id]?.parent).flatMap((id) => mapping[id]?.message ?? []);
}

function toText({
  content_type: type = 'text',
  parts,
  text,
}: z.output<typeof messageSchema>['content']): string | undefined {
  if (type !== 'text' && type !== 'multimodal_text') return undefined;
  const words = (parts ?? []).map((part) => {
    if (typeof part === 'string') return part;
    if (!isRecord(part)) return '';
    const kind = asText(part['content_type']) ?? '';
    if (kind === 'audio_transcription') return asText(part['text']) ?? '';
    return kind.startsWith('image') ? '[image]' : '';
  });
  return [...words, text ?? ''].filter((one) => one !== '').join('\n');
}

/** Marks of sources in answers: private signs around a reference, and `【3†source】`. */
const CITATION = /\s?(?:\ue200[^\ue200\ue201]{0,2000}\ue201|【\d{1,4}(?::\d{1,4})?†[^【】]{0,200}】)/gu;

function readMessage(message: z.output<typeof messageSchema>, at: string, out: Out) {
  const { author, content, recipient, metadata, create_time: created } = message;
  if (author.role !== 'user' && author.role !== 'assistant')
    return out.leftOut('message of the system or of a tool', at, toText(content) ?? '');
  const text = toText(content);
  const isCall = author.role === 'assistant' && (recipient ?? 'all') !== 'all';
  if (text === undefined || isCall || metadata?.is_visually_hidden_from_conversation === true)
    return out.leftOut('call of a tool, or thought', at, text ?? content.text ?? '');
  const words = author.role === 'assistant' ? text.replace(CITATION, '') : text;
  out.turn({ role: author.role, text: words, at: fromSeconds(created) });
}

/** The conversations of ChatGPT's data export. */
export const chatgpt = createChatReader({
  name: 'chatgpt',
  title: 'ChatGPT export',
  isKnown: (value) => isRecord(value) && isRecord(value['mapping']),
  conversation: conversationSchema,
  message: messageSchema,
  lacks: {
    conversation: 'it has no "mapping" of messages',
    message: 'a message without an author or without content',
  },
  head: ({ conversation_id: conversationId, id, title }) => ({ id: conversationId ?? id, title }),
  messages: toBranch,
  read: readMessage,
});

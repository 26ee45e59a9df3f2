import { z } from 'zod';
import { fromInstantText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createConversationSink, hasConversations } from '../sinks/conversation-sink.ts';

/** A time as text, or as databases write it: `{"$date": {"$numberLong": "1705312200000"}}`. */
const timeSchema = z.union([
  z.string(),
  z.number(),
  z.looseObject({ $date: z.union([z.string(), z.number(), z.looseObject({ $numberLong: z.string() })]) }),
]);
const messageSchema = z.looseObject({
  response: z.looseObject({
    _id: z.string().nullish(),
    message: z.string().nullish(),
    sender: z.string(),
    create_time: timeSchema.nullish(),
    parent_response_id: z.string().nullish(),
    partial: z.boolean().nullish(),
  }),
});
const conversationSchema = z.looseObject({
  conversation: z.looseObject({
    id: z.string().nullish(),
    title: z.string().nullish(),
    leaf_response_id: z.string().nullish(),
  }),
  responses: z.array(z.unknown()),
});
type Message = z.output<typeof messageSchema>['response'];

function toTime(time: z.output<typeof timeSchema> | null | undefined) {
  if (typeof time !== 'object' || time === null) return fromInstantText(time);
  return fromInstantText(isRecord(time.$date) ? time.$date['$numberLong'] : time.$date);
}

/** The messages that lead to the one where the conversation stands, if the export tells; else all. */
function toBranch(messages: readonly Message[], leaf: string | null | undefined): readonly Message[] {
  const byId = new Map(messages.flatMap((message) => (message._id == null ? [] : [[message._id, message] as const])));
  const wanted = new Set<Message>();
  let message = byId.get(leaf ?? '');
  if (message === undefined) return messages;
  while (message !== undefined && !wanted.has(message)) {
    wanted.add(message);
    message = byId.get(message.parent_response_id ?? '');
  }
  return messages.filter((one) => wanted.has(one));
}

/** Cards that the application draws among the words. */
const CARD =
  /<(?:grok:render|xai:\w{1,40})\b[^<>]*>(?:[^<]*<argument\b[^<>]*>[^<]*<\/argument>)*[^<]*<\/(?:grok:render|xai:\w{1,40})>/gu;

function readConversation(value: unknown, at: string, out: Out) {
  const read = conversationSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "responses"');
  const { conversation, responses } = read.data;
  const { id, title, leaf_response_id: leaf } = conversation;
  out.conversation({ ...(id != null && { id: `grok-${id}` }), title: title || undefined });
  const messages = responses.flatMap((one, index) => {
    const message = messageSchema.safeParse(one);
    if (message.success) return [message.data.response];
    out.fault(`${at}, message ${index + 1}`, 'it has no "sender"');
    return [];
  });
  for (const { sender, message, create_time: time } of toBranch(messages, leaf)) {
    const role = /^(?:human|user)$/iu.test(sender) ? 'user' : 'assistant';
    out.turn({ role, text: (message ?? '').replace(CARD, ''), ...toTime(time) });
  }
}

const isExported = (value: unknown): boolean =>
  isRecord(value) && isRecord(value['conversation']) && Array.isArray(value['responses']);

/** The conversations of the data export of Grok: `prod-grok-backend.json`. */
export const grok: Reader = {
  name: 'grok',
  title: 'Grok export',
  detect: (sample) => hasConversations(sample, isExported),
  read: (out, { sample }) =>
    createConversationSink({ sample, isKnown: isExported, out }, (value, at) => readConversation(value, at, out)),
};

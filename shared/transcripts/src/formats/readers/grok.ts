import { z } from 'zod';
import { fromInstantText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import { createChatReader, walkUp } from '../sinks/chat-export.ts';

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
type Message = z.output<typeof messageSchema>;

function toTime(time: z.output<typeof timeSchema> | null | undefined) {
  if (typeof time !== 'object' || time === null) return fromInstantText(time);
  return fromInstantText(isRecord(time.$date) ? time.$date['$numberLong'] : time.$date);
}

/** The messages that lead to the one where the conversation stands, if the export tells; else all. */
function toBranch(messages: readonly Message[], leaf: string | null | undefined): readonly Message[] {
  const byId = new Map(
    messages.flatMap((message) => (message.response._id == null ? [] : [[message.response._id, message] as const])),
  );
  const way = walkUp(byId.get(leaf ?? ''), ({ response }) => byId.get(response.parent_response_id ?? ''));
  return way.length === 0 ? messages : way;
}

/** Cards that the application draws among the words. */
const CARD =
  /<(?:grok:render|xai:\w{1,40})\b[^<>]*>(?:[^<]*<argument\b[^<>]*>[^<]*<\/argument>)*[^<]*<\/(?:grok:render|xai:\w{1,40})>/gu;

const toWords = ({ response: { message } }: Message): string => (message ?? '').replace(CARD, '');

/** The conversations of the data export of Grok: `prod-grok-backend.json`. */
export const grok = createChatReader({
  name: 'grok',
  title: 'Grok export',
  isKnown: (value) => isRecord(value) && isRecord(value['conversation']) && Array.isArray(value['responses']),
  conversation: conversationSchema,
  message: messageSchema,
  lacks: { conversation: 'it has no "responses"', message: 'it has no "sender"' },
  head: ({ conversation }) => conversation,
  messages: ({ responses }) => responses,
  branch: { choose: (messages, { conversation }) => toBranch(messages, conversation.leaf_response_id), toWords },
  read: (message, _at, out) => {
    const { sender, create_time: time } = message.response;
    const role = /^(?:human|user)$/iu.test(sender) ? 'user' : 'assistant';
    out.turn({ role, text: toWords(message), ...toTime(time) });
  },
});

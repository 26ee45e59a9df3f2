import { z } from 'zod';
import { fromInstantText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader, Sample } from '../reader.ts';
import { createChatGroups } from '../sinks/chat-groups.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { toFileTitle } from '../text/file-title.ts';

const text = z.string().nullish();
const groupSchema = z.looseObject({ groupId: text, groupName: text, name: text }).nullish();
const messageSchema = z.looseObject({
  timestamp: z.number().nullish(),
  message: text,
  groupInfo: groupSchema,
  destination: text,
  destinationNumber: text,
});
const envelopeSchema = z.looseObject({
  ...{ source: text, sourceNumber: text, sourceName: text, timestamp: z.number() },
  dataMessage: messageSchema.nullish(),
  syncMessage: z.looseObject({ sentMessage: messageSchema.nullish() }).nullish(),
});
type ChatOf = ReturnType<typeof createChatGroups>['of'];
type Message = z.output<typeof messageSchema>;
const exportedSchema = z.looseObject({ date: z.union([z.string(), z.number()]), sender: z.string(), body: z.string() });

/** The chat that a message belongs to: its group, or whom it is from or for. */
function toHead({ groupInfo }: Message, other: string | null | undefined) {
  const id = groupInfo?.groupId ?? other ?? undefined;
  const title = groupInfo?.groupName ?? groupInfo?.name ?? other ?? undefined;
  return { ...(id !== undefined && { id: `signal-${id}`.slice(0, 200) }), title };
}

/** Takes what signal-cli receives, a message a line; messages of one chat stand among those of others. */
function readEnvelope(value: Readonly<Record<string, unknown>>, at: string, out: Out, toChat: ChatOf) {
  const read = envelopeSchema.safeParse(value['envelope']);
  if (!read.success) return out.fault(at, 'it is no message of Signal');
  const { source, sourceNumber, sourceName, timestamp, dataMessage, syncMessage } = read.data;
  const sent = syncMessage?.sentMessage ?? undefined;
  const message = sent ?? dataMessage ?? undefined;
  if (message === undefined) return out.leftOut('system message');
  if (message.message == null || message.message.trim() === '') return out.leftOut('media');
  const number = sourceNumber ?? source ?? undefined;
  const other = sent === undefined ? number : (sent.destinationNumber ?? sent.destination);
  toChat(toHead(message, other)).turn({
    ...{ speaker: sourceName || number, role: sent === undefined ? 'participant' : 'user', text: message.message },
    at: fromSeconds((message.timestamp ?? timestamp) / 1000),
  });
}

/** Takes what signal-export writes: `Me` is who exported. */
function readExported(value: Readonly<Record<string, unknown>>, at: string, out: Out) {
  const read = exportedSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Signal');
  const { date, sender, body } = read.data;
  if (body.trim() === '') return out.leftOut('media');
  out.turn({ speaker: sender, role: sender === 'Me' ? 'user' : 'participant', text: body, ...fromInstantText(date) });
}

const isEnvelope = (value: unknown): boolean =>
  isRecord(value) && isRecord(value['envelope']) && 'timestamp' in value['envelope'];
const isExported = (value: unknown): boolean =>
  isRecord(value) && ['date', 'sender', 'body', 'quote', 'reactions'].every((key) => key in value);
const linesOf = ({ json, jsonLines }: Sample): readonly unknown[] => jsonLines ?? [json];

/** Signal's messages as JSON Lines: of signal-cli (`--output=json receive`) and of signal-export (`data.json`). */
export const signal: Reader = {
  name: 'signal',
  title: 'Signal chat',
  detect: (sample) => linesOf(sample).some((line) => isEnvelope(line) || isExported(line)),
  read: (out, { sample, file }) => {
    if (linesOf(sample).some(isEnvelope)) {
      const chats = createChatGroups(out);
      return createJsonLineSink((value, at) => readEnvelope(value, at, out, chats.of), out, chats.flush);
    }
    out.conversation({ title: toFileTitle(file) });
    return createJsonLineSink((value, at) => readExported(value, at, out), out);
  },
};

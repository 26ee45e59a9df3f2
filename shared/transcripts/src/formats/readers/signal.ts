import { z } from 'zod';
import { fromInstantText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader, Sample } from '../reader.ts';
import { createChatGroups } from '../sinks/chat-groups.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { toFileTitle } from '../text/file-title.ts';

const text = z.string().nullish();
const groupSchema = z.looseObject({ groupId: text, groupName: text, name: text }).nullish();
const deletionSchema = z.looseObject({ timestamp: z.number() }).nullish();
const messageSchema = z.looseObject({
  timestamp: z.number().nullish(),
  remoteDelete: deletionSchema,
  message: text,
  groupInfo: groupSchema,
  destination: text,
  destinationNumber: text,
});
const editSchema = z.looseObject({ targetSentTimestamp: z.number(), dataMessage: messageSchema }).nullish();
const envelopeSchema = z.looseObject({
  source: text,
  sourceNumber: text,
  sourceName: text,
  timestamp: z.number(),
  dataMessage: messageSchema.nullish(),
  editMessage: editSchema,
  syncMessage: z.looseObject({ sentMessage: messageSchema.extend({ editMessage: editSchema }).nullish() }).nullish(),
});
type Chats = ReturnType<typeof createChatGroups>;
type Message = z.output<typeof messageSchema>;
const exportedSchema = z.looseObject({ date: z.union([z.string(), z.number()]), sender: z.string(), body: z.string() });

/** The chat that a message belongs to: its group, or whom it is from or for. */
function toHead({ groupInfo }: Message, other: string | null | undefined) {
  const id = groupInfo?.groupId ?? other ?? undefined;
  const title = groupInfo?.groupName ?? groupInfo?.name ?? other ?? undefined;
  return { ...(id !== undefined && { id: `signal-${id}`.slice(0, 200) }), title };
}

/** What is meant by one line of signal-cli: words, the words that take the place of earlier ones, or that earlier ones are deleted. */
function toMeant({ dataMessage, editMessage, syncMessage, timestamp }: z.output<typeof envelopeSchema>) {
  const sent = syncMessage?.sentMessage ?? undefined;
  const edit = sent?.editMessage ?? editMessage ?? undefined;
  const message: Message | undefined = edit?.dataMessage ?? sent ?? dataMessage ?? undefined;
  const target = edit?.targetSentTimestamp ?? message?.remoteDelete?.timestamp;
  return { sent, message, target, isEdit: edit !== undefined, time: message?.timestamp ?? timestamp };
}

/** Takes what signal-cli receives, a message a line; messages of one chat stand among those of others. */
function readEnvelope(value: Readonly<Record<string, unknown>>, at: string, out: Out, chats: Chats) {
  const read = envelopeSchema.safeParse(value['envelope']);
  if (!read.success) return out.fault(at, 'it is no message of Signal');
  const { source, sourceNumber, sourceName } = read.data;
  const { sent, message, target, isEdit, time } = toMeant(read.data);
  if (message === undefined) return out.leftOut('system message', at, '');
  const number = sourceNumber ?? source ?? undefined;
  const other = sent === undefined ? number : (sent.destinationNumber ?? sent.destination);
  const head = toHead(message, other);
  const text = message.message ?? '';
  // Messages are known by who sent them, and when.
  const toKey = (moment: number): string => `${number} ${moment}`;
  if (target !== undefined) {
    const before = chats.change(head, toKey(target), isEdit && text.trim() !== '' ? text : undefined);
    if (before !== undefined)
      return out.leftOut(isEdit ? 'earlier version of a message' : 'deleted message', at, before);
    if (!isEdit) return out.leftOut('deletion of a message that is not there', at, '');
  }
  if (text.trim() === '') return out.leftOut('media', at, '');
  const role = sent === undefined ? ('participant' as const) : ('user' as const);
  chats.add(head, { speaker: sourceName || number, role, text, at: fromSeconds(time / 1000) }, toKey(target ?? time));
}

/** Takes what signal-export writes: `Me` is who exported. */
function readExported(value: Readonly<Record<string, unknown>>, at: string, out: Out) {
  const read = exportedSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Signal');
  const { date, sender, body } = read.data;
  if (body.trim() === '') return out.leftOut('media', at, '');
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
      return createJsonLineSink((value, at) => readEnvelope(value, at, out, chats), out, chats.flush);
    }
    out.conversation({ title: toFileTitle(file) });
    return createJsonLineSink((value, at) => readExported(value, at, out), out);
  },
};

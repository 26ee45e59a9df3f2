import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const messageSchema = z.looseObject({
  sender_name: z.string(),
  timestamp_ms: z.number(),
  content: z.string().nullish(),
  is_unsent: z.boolean().nullish(),
});

/** Facebook writes the bytes of UTF-8 as if each were a character. */
function toReadable(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  // Text with other characters is as it should be.
  return bytes.toString('latin1') === text && isUtf8(bytes) ? bytes.toString('utf8') : text;
}

const NOTICE =
  /(?:^| )(?:sent an attachment\.|reacted .{1,20} to your message ?|liked a message|missed your (?:video )?call\.|started a (?:video )?call\.|named the group .{1,100}|You are now connected on Messenger\.?)$/u;

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "sender_name" or no "timestamp_ms"');
  const { sender_name: name, timestamp_ms: time, content, is_unsent: isUnsent } = read.data;
  const text = toReadable(content ?? '').trim();
  if (isUnsent === true) return out.leftOut('deleted message');
  if (text === '') return out.leftOut('media');
  if (NOTICE.test(text)) return out.leftOut('system message');
  out.turn({ speaker: toReadable(name), role: 'participant', text, at: fromSeconds(time / 1000) });
}

/** The messages of a file, which has the newest first; a file of the export has at most 10,000. */
function readChat(value: unknown, out: Out) {
  const chat = isRecord(value) ? value : {};
  const { title, thread_path: path } = chat;
  const id = typeof path === 'string' ? path : undefined;
  out.conversation({
    ...(id !== undefined && { id: `messenger-${id}`.slice(0, 200) }),
    title: typeof title === 'string' ? toReadable(title) : undefined,
  });
  const messages: readonly unknown[] = Array.isArray(chat['messages']) ? chat['messages'] : [];
  for (const [index, message] of [...messages.entries()].reverse()) readMessage(message, `message ${index + 1}`, out);
}

/** Messenger's and Instagram's download of one's data: `inbox/<chat>/message_1.json`. */
export const messenger: Reader = {
  name: 'messenger',
  title: 'Messenger or Instagram chat',
  detect: ({ json }) =>
    isRecord(json) &&
    Array.isArray(json['messages']) &&
    json['messages'].some((one) => isRecord(one) && 'sender_name' in one && 'timestamp_ms' in one),
  read: (out) => createJsonSink(['$'], ({ value }) => readChat(value, out)),
};

import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { asText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { createNewestFirst } from '../sinks/newest-first.ts';
import { findOwnNotice } from '../templates/messengers.ts';

const text = z.string().nullish();
const flag = z.boolean().nullish();
/** A message of the download of one's data; of end-to-end encrypted chats it has other keys. */
const messageSchema = z.union([
  z.looseObject({ sender_name: z.string(), timestamp_ms: z.number(), content: text, is_unsent: flag }),
  z.looseObject({ senderName: z.string(), timestamp: z.number(), text, isUnsent: flag }).transform((one) => ({
    sender_name: one.senderName,
    timestamp_ms: one.timestamp,
    content: one.text,
    is_unsent: one.isUnsent,
  })),
]);

/** Facebook writes the bytes of UTF-8 as if each were a character. */
function toReadable(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  // Text with other characters is as it should be.
  return bytes.toString('latin1') === text && isUtf8(bytes) ? bytes.toString('utf8') : text;
}

function readMessage(value: unknown, at: string, out: Out, add: (turn: FoundTurn) => void) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "sender_name" or no "timestamp_ms"');
  const { sender_name: name, timestamp_ms: time, content, is_unsent: isUnsent } = read.data;
  const words = toReadable(content ?? '').trim();
  if (isUnsent === true) return out.leftOut('deleted message', at, words);
  if (words === '') return out.leftOut('media', at, '');
  const speaker = toReadable(name);
  const notice = findOwnNotice(words, speaker);
  if (notice !== undefined) return out.leftOut(notice, at, words);
  add({ speaker, role: 'participant', text: words, at: fromSeconds(time / 1000) });
}

/** Reads the messages of a file one by one; what the chat is called stands below them. */
function createChat(out: Out): Sink {
  const turns = createNewestFirst(out);
  const head = new Map<string, string>();
  const take = ({ value, path }: { readonly value: unknown; readonly path: readonly (string | number)[] }): void => {
    const [key, index] = path;
    if (key === 'messages') readMessage(value, `message ${Number(index) + 1}`, out, turns.add);
    else head.set(String(key), asText(value) ?? '');
  };
  const end = (): void => {
    const name = head.get('threadName');
    // Encrypted chats are named "Ben_3": by the person and a number.
    const title = head.get('title') ?? name?.replace(/_\d{1,6}$/u, '');
    const id = head.get('thread_path') ?? name;
    out.conversation({
      ...(id !== undefined && { id: `messenger-${id}`.slice(0, 200) }),
      title: title === undefined ? undefined : toReadable(title),
    });
    turns.flush();
  };
  return createJsonSink(['$.title', '$.thread_path', '$.threadName', '$.messages.*'], take, end);
}

const isMessage = (one: unknown): boolean =>
  isRecord(one) &&
  (('sender_name' in one && 'timestamp_ms' in one) || ('senderName' in one && 'timestamp' in one && 'isUnsent' in one));

/** Messenger's and Instagram's download of one's data: `inbox/<chat>/message_1.json`. */
export const messenger: Reader = {
  name: 'messenger',
  title: 'Messenger or Instagram chat',
  detect: ({ json }) => isRecord(json) && Array.isArray(json['messages']) && json['messages'].some(isMessage),
  read: createChat,
};

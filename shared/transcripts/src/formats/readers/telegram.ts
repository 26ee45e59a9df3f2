import { z } from 'zod';
import { asText, fromIso, fromSeconds, toOffsetTime } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createJsonSink, type FoundValue } from '../sinks/json-sink.ts';

const textSchema = z.union([z.string(), z.array(z.union([z.string(), z.looseObject({ text: z.string() })]))]);
const messageSchema = z.looseObject({
  id: z.number().optional(),
  type: z.string(),
  date: z.string().optional(),
  date_unixtime: z.union([z.string(), z.number()]).optional(),
  from: z.string().nullish(),
  from_id: z.union([z.string(), z.number()]).nullish(),
  author: z.string().nullish(),
  text: textSchema.optional(),
  forwarded_from: z.string().nullish(),
  saved_from: z.string().nullish(),
});
type Message = z.output<typeof messageSchema>;

function toText(text: Message['text']): string {
  if (text === undefined || typeof text === 'string') return text ?? '';
  return text.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** The clock of whoever exported, with the offset that the two times of a message tell. */
function toTime({ date, date_unixtime: unix }: Message): Pick<FoundTurn, 'at' | 'wall'> {
  const { wall } = fromIso(date);
  const at = fromSeconds(unix);
  if (wall === undefined || at === undefined) return wall === undefined ? { at } : { wall };
  return toOffsetTime(wall, at);
}

function toIdText(id: string | number | null | undefined): string {
  return typeof id === 'number' ? `user${id}` : (id ?? '');
}

function readMessage(value: unknown, at: string, account: string | undefined, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Telegram');
  const message = read.data;
  const text = toText(message.text);
  if (message.type !== 'message') return out.leftOut('service message', at, text || (asText(message['action']) ?? ''));
  if (text.trim() === '') return out.leftOut('media', at, '');
  const origin = message.forwarded_from ?? message.saved_from ?? undefined;
  // Words that are passed on are not those of whoever sends them.
  const words = origin === undefined ? text : `[forwarded from ${origin.slice(0, 100)}] ${text}`;
  const sender = toIdText(message.from_id);
  const role = account !== undefined && sender === account ? 'user' : 'participant';
  const name = message.from ?? message.author ?? (sender === '' ? 'deleted account' : `deleted account (${sender})`);
  out.turn({
    ...(message.id !== undefined && { id: String(message.id) }),
    speaker: name,
    role,
    text: words,
    ...toTime(message),
  });
}

const HEADS = ['name', 'type', 'id'];
const CHATS = ['$', '$.chats.list.*', '$.left_chats.list.*'];
const PATHS = [
  '$.personal_information.user_id',
  ...CHATS.flatMap((chat) => [...HEADS, 'messages.*'].map((key) => `${chat}.${key}`)),
];

/** Keeps the head of the chat under way, which stands before its messages. */
function createChats(out: Out) {
  let account: string | undefined;
  let head: Record<string, unknown> = {};
  let headOf: string | undefined;
  let chat: string | undefined;
  const begin = (name: string): void => {
    if (chat === name) return;
    chat = name;
    const { id, name: title, type } = head;
    const isSaved = type === 'saved_messages';
    out.conversation({
      ...((typeof id === 'number' || typeof id === 'string') && { id: `telegram-${id}` }),
      title: asText(title) ?? (isSaved ? 'Saved Messages' : undefined),
    });
  };
  return ({ value, path }: FoundValue): void => {
    if (path[0] === 'personal_information') {
      account = `user${String(value)}`;
      return;
    }
    const inList = path.length > 3;
    const key = String(inList ? path[3] : path[0]);
    const name = inList ? path.slice(0, 3).join('.') : '';
    if (key === 'messages') {
      begin(name);
      readMessage(
        value,
        `message ${Number(path.at(-1)) + 1}${inList ? ` of chat ${Number(path[2]) + 1}` : ''}`,
        account,
        out,
      );
      return;
    }
    if (headOf !== name) head = {};
    headOf = name;
    head[key] = value;
  };
}

const isChat = (value: unknown): boolean => {
  if (!isRecord(value) || !Array.isArray(value['messages'])) return false;
  return value['messages'].some(
    (message) =>
      isRecord(message) &&
      'type' in message &&
      'id' in message &&
      ('from_id' in message || 'actor' in message || 'text_entities' in message),
  );
};

/** Telegram Desktop's `result.json`, of one chat or of all. */
export const telegram: Reader = {
  name: 'telegram',
  title: 'Telegram export',
  detect: ({ json }) => {
    if (!isRecord(json)) return false;
    const { chats } = json;
    if (isRecord(chats) && Array.isArray(chats['list'])) return true;
    return isChat(json);
  },
  read: (out) => createJsonSink(PATHS, createChats(out)),
};

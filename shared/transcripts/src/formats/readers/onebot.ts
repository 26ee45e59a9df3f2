import { z } from 'zod';
import { asText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createChatGroups } from '../sinks/chat-groups.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { putWords } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';

const id = z.union([z.string(), z.number()]).nullish();
const messageSchema = z.looseObject({
  message_id: id,
  user_id: id,
  self_id: id,
  group_id: id,
  time: z.number().nullish(),
  raw_message: z.string().nullish(),
  message: z.union([z.string(), z.array(z.unknown())]).nullish(),
  sender: z.looseObject({ user_id: id, nickname: z.string().nullish(), card: z.string().nullish() }),
});

/** What a bot is told besides messages; of these, that somebody took a message back. */
const noticeSchema = z.looseObject({ notice_type: z.string(), message_id: id, group_id: id });
const RECALLS = new Set(['group_recall', 'friend_recall']);
const EVENTS = new Set(['notice', 'meta_event', 'request']);

/** The chat of a group; private messages are of the one chat of the file. */
const toHead = (group: string | number | null | undefined) =>
  group == null ? {} : { id: `qq-group-${group}`, title: `QQ ${group}` };

/** `[CQ:image,file=x]` among words; brackets of words themselves are written as entities. */
const CODE = /\[CQ:[^[\]]{1,4000}\]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&#91;': '[', '&#93;': ']', '&#44;': ',', '&amp;': '&' };

/** The words of one segment of a message: text, and whom it calls by name. */
function toSegment(segment: unknown): string {
  const data = isRecord(segment) && isRecord(segment['data']) ? segment['data'] : {};
  const type = isRecord(segment) ? segment['type'] : undefined;
  if (type === 'text') return asText(data['text']) ?? '';
  return type === 'at' ? `@${asText(data['name']) || String(data['qq'] ?? '')} ` : '';
}

function toText({ message, raw_message: raw }: z.output<typeof messageSchema>): string {
  if (Array.isArray(message)) return message.map(toSegment).join('');
  const text = (typeof message === 'string' ? message : (raw ?? '')).replace(CODE, '');
  return text.replace(/&(?:#91|#93|#44|amp);/gu, (entity) => ENTITIES[entity] ?? entity);
}

function createMessages(out: Out) {
  const chats = createChatGroups(out);
  const addNotice = (value: unknown, at: string) => {
    const notice = noticeSchema.safeParse(value).data;
    if (notice?.message_id == null || !RECALLS.has(notice.notice_type)) return out.leftOut('system message', at, '');
    const before = chats.change(toHead(notice.group_id), String(notice.message_id), undefined);
    if (before === undefined) return out.leftOut('deletion of a message that is not there', at, '');
    return out.leftOut('deleted message', at, before);
  };
  const add = (value: unknown, at: string) => {
    if (value === null) return out.leftOut('empty message', at, '');
    if (isRecord(value) && EVENTS.has(String(value['post_type']))) return addNotice(value, at);
    const read = messageSchema.safeParse(value);
    if (!read.success) return out.fault(at, 'it is no message of OneBot');
    const { sender, time, self_id: self, group_id: group, message_id: key } = read.data;
    const text = toText(read.data).trim();
    if (text === '') return out.leftOut('media', at, '');
    const account = String(read.data.user_id ?? sender.user_id ?? '');
    const chat = chats.of(toHead(group), key == null ? undefined : String(key));
    const turn = {
      speaker: sender.card || sender.nickname || account,
      role: self != null && account === String(self) ? ('user' as const) : ('participant' as const),
      at: fromSeconds(time),
    };
    putWords(toChineseWords(text), turn, at, chat);
  };
  return { add, flush: chats.flush };
}

const isMessage = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value['sender']) &&
  'message_id' in value &&
  ('raw_message' in value || 'message' in value);

/** Where the list of messages stands: alone, or in the answer of a call. */
const PATHS = ['$.*', '$.messages.*', '$.data.messages.*'] as const;

function findPath(json: unknown): (typeof PATHS)[number] | undefined {
  if (Array.isArray(json)) return json.some(isMessage) ? '$.*' : undefined;
  if (!isRecord(json)) return undefined;
  if (Array.isArray(json['messages'])) return json['messages'].some(isMessage) ? '$.messages.*' : undefined;
  const list = isRecord(json['data']) ? json['data']['messages'] : undefined;
  return Array.isArray(list) && list.some(isMessage) ? '$.data.messages.*' : undefined;
}

/** Messages of QQ as bots of the OneBot standard keep them: NapCat, LLOneBot, go-cqhttp. */
export const onebot: Reader = {
  name: 'onebot',
  title: 'QQ chat (OneBot)',
  detect: ({ json, jsonLines }) =>
    jsonLines !== undefined && jsonLines.length > 1 ? jsonLines.some(isMessage) : findPath(json) !== undefined,
  read: (out, { sample: { json, jsonLines } }) => {
    const { add, flush } = createMessages(out);
    if (jsonLines !== undefined && jsonLines.length > 1) return createJsonLineSink(add, out, flush);
    const path = findPath(json) ?? PATHS[0];
    return createJsonSink([path], ({ value, path: at }) => add(value, `message ${Number(at.at(-1)) + 1}`), flush);
  },
};

import { z } from 'zod';
import { asText, fromIso, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { putWords, unsaid } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';

const id = z.union([z.string(), z.number()]).nullish();
const messageSchema = z.looseObject({
  id,
  timestamp: z.union([z.string(), z.number()]).nullish(),
  time: z.string().nullish(),
  sender: z.looseObject({
    name: z.string().nullish(),
    remark: z.string().nullish(),
    nickname: z.string().nullish(),
    groupCard: z.string().nullish(),
    uin: id,
    uid: id,
  }),
  content: z.union([z.string(), z.looseObject({ text: z.string().nullish() })]).nullish(),
  recalled: z.boolean().nullish(),
  system: z.boolean().nullish(),
});
type Message = z.output<typeof messageSchema>;

/** Pictures and files stand among the words as `[图片: x.jpg]`, faces as `[表情: /微笑]` or by their number. */
const MARKS =
  /\[(?:图片|语音|视频|文件)[:：]\s?[^\]\n]{1,200}\.\w{2,5}\]|\[(?:表情|商城表情|动画表情)[:：]?\s?(?:\/[^\]\n]{1,20}|\d{1,6})\]/gu;

function toTime({ timestamp, time }: Message): Pick<FoundTurn, 'at' | 'wall'> {
  const seconds = Number(timestamp);
  if (Number.isFinite(seconds) && seconds > 0) return { at: fromSeconds(seconds > 1e11 ? seconds / 1000 : seconds) };
  return fromIso(asText(timestamp) ?? time);
}

function readMessage(value: unknown, at: string, self: string | undefined, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no sender');
  const message = read.data;
  const text = typeof message.content === 'string' ? message.content : (message.content?.text ?? '');
  if (message.system === true) return out.leftOut('system message', at, text);
  if (message.recalled === true) return out.leftOut('deleted message', at, text);
  const plain = text.replace(MARKS, '').trim();
  const words = plain === '' && text.trim() !== '' ? unsaid('media', text) : toChineseWords(plain);
  const { name, remark, nickname, groupCard, uin, uid } = message.sender;
  const isMine = self !== undefined && (self === String(uin) || self === String(uid));
  const speaker = groupCard || name || remark || nickname || String(uin ?? uid ?? '');
  putWords(words, { speaker, role: isMine ? 'user' : 'participant', ...toTime(message) }, at, out);
}

/** Keeps who exported, which stands above the messages. */
function createMessages(out: Out) {
  let self: string | undefined;
  return {
    begin: (value: unknown) => {
      const info = isRecord(value) ? value : {};
      const own = info['selfUin'] ?? info['selfUid'];
      self = own == null || own === '' ? undefined : String(own);
      const title = asText(info['name']);
      out.conversation({ ...(title !== undefined && { id: `qq-${title}`.slice(0, 200) }), title });
    },
    add: (value: unknown, at: string) => readMessage(value, at, self, out),
  };
}

const isExported = (json: unknown): boolean =>
  isRecord(json) && isRecord(json['chatInfo']) && (Array.isArray(json['messages']) || 'statistics' in json);
const isLine = (line: Readonly<Record<string, unknown>>): boolean =>
  isRecord(line['sender']) && isRecord(line['content']) && ('uin' in line['sender'] || 'uid' in line['sender']);

/** What QQChatExporter writes as JSON, whole or a message a line. */
export const qqJson: Reader = {
  name: 'qq-json',
  title: 'QQ chat (JSON)',
  detect: ({ json, jsonLines }) => isExported(json) || jsonLines?.some(isLine) === true,
  read: (out, { sample: { json } }) => {
    const { begin, add } = createMessages(out);
    if (!isExported(json)) return createJsonLineSink((value, at) => add(value, at), out);
    return createJsonSink(['$.chatInfo', '$.messages.*'], ({ value, path }) =>
      path[0] === 'chatInfo' ? begin(value) : add(value, `message ${Number(path[1]) + 1}`),
    );
  },
};

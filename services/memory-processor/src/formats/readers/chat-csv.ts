import { createCsvSink, parseRecord } from '../csv-sink.ts';
import { fromIso, fromSeconds } from '../json-values.ts';
import type { FoundTurn, Out, Reader, Sample } from '../reader.ts';
import { toHour, toWall } from '../wall-time.ts';
import { toChineseWords } from './wechat-text.ts';

/** The columns of an exporter by what they tell, in the order in which they are asked. */
interface Columns {
  readonly speaker: readonly string[];
  readonly text: readonly string[];
  readonly time: readonly string[];
  /** Tells with 1 or true, or 是, that the user wrote it. */
  readonly mine?: readonly string[];
  readonly kind?: readonly string[];
  readonly chat?: readonly string[];
}

const WECHAT: Columns = {
  speaker: [
    'Remark',
    'NickName',
    'Sender',
    'talker',
    'senderName',
    '发送者',
    '发送人',
    '昵称',
    '备注',
    '姓名',
    '微信号',
    '发送者昵称',
    '发送者微信号',
  ],
  text: ['StrContent', 'content', 'msg', '消息内容', '内容', '消息', 'Content', 'message'],
  time: ['StrTime', 'CreateTime', '时间', '发送时间', '消息时间', '日期', 'time', 'createTime'],
  mine: ['IsSender', 'is_sender', 'isSend', '是否本人', '是否自己发送'],
  kind: ['Type', 'type_name', 'type', '类型', '消息类型'],
  chat: ['TalkerId', 'room_name', 'talker', '聊天对象', '会话'],
};
const DISCORD: Columns = { speaker: ['Author'], text: ['Content'], time: ['Date'] };

type Row = Readonly<Record<string, string>>;

const pick = (row: Row, names: readonly string[]): string =>
  names.map((name) => row[name]?.trim() ?? '').find((value) => value !== '' && value !== 'None' && value !== 'null') ??
  '';

const hasAny = (header: readonly string[], names: readonly string[]): boolean =>
  names.some((name) => header.includes(name));

function readHeader({ lines }: Sample): readonly string[] {
  const first = (lines.find((line) => line.trim() !== '') ?? '').replace(/^\uFEFF/u, '');
  if (first.length > 1000 || !first.includes(',')) return [];
  try {
    return parseRecord(first).map((cell) => cell.trim());
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

const TIME =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[T\s]*(凌晨|早上|上午|中午|下午|晚上)?\s?(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?$/u;
/** The United States' order with a 12-hour clock, as DiscordChatExporter writes it by default. */
const TIME_US = /^(\d{1,2})\/(\d{1,2})\/(\d{2,4}) (\d{1,2}):(\d{2})(?::(\d{2}))?\s?([AP])M$/iu;

function toTime(text: string): Pick<FoundTurn, 'at' | 'wall'> | undefined {
  if (text === '') return {};
  if (/^\d{10}$/u.test(text)) return { at: fromSeconds(text) };
  if (/^\d{13}$/u.test(text)) return { at: fromSeconds(Number(text) / 1000) };
  const iso = fromIso(text.replace(/(\.\d{3})\d+/u, '$1'));
  if (iso.at !== undefined || iso.wall !== undefined) return iso;
  const [, year, month, day, half, hour, minute, second = '0'] = TIME.exec(text) ?? [];
  const us = TIME_US.exec(text);
  const numbers =
    us === null
      ? {
          year: Number(year),
          month: Number(month),
          day: Number(day),
          hour: toHour(Number(hour), half),
          minute: Number(minute),
          second: Number(second),
        }
      : {
          year: Number(us[3]) < 100 ? 2000 + Number(us[3]) : Number(us[3]),
          month: Number(us[1]),
          day: Number(us[2]),
          hour: toHour(Number(us[4]), us[7]),
          minute: Number(us[5]),
          second: Number(us[6] ?? 0),
        };
  const wall = toWall(numbers);
  return wall === undefined ? undefined : { wall };
}

/** Types of messages that are words, as numbers and names of exporters. */
const isWords = (kind: string): boolean =>
  kind === '' || /^(?:1|文本|文本消息|text|文字|引用|引用消息|49)$/iu.test(kind);

function readRow(row: Row, columns: Columns, at: string, out: Out) {
  const time = toTime(pick(row, columns.time));
  if (time === undefined) return out.fault(at, 'there is no such date or time');
  if (!isWords(pick(row, columns.kind ?? []))) return out.leftOut('media or system message');
  const words = toChineseWords(pick(row, columns.text));
  if ('leftOut' in words) return out.leftOut(words.leftOut);
  // Messages that are no words stand there as XML.
  if (/^<(?:\?xml|msg|sysmsg)\b/u.test(words.text)) return out.leftOut('media or system message');
  const isMine = /^(?:1|true|是)$/iu.test(pick(row, columns.mine ?? []));
  out.turn({
    speaker: pick(row, columns.speaker) || undefined,
    role: isMine ? 'user' : 'participant',
    text: words.text,
    ...time,
  });
}

function createChatCsv(
  name: string,
  title: string,
  columns: Columns,
  marks: (header: readonly string[]) => boolean,
): Reader {
  return {
    name,
    title,
    detect: (sample) => {
      const header = readHeader(sample);
      return marks(header) && [columns.speaker, columns.text, columns.time].every((names) => hasAny(header, names));
    },
    read: (out) => {
      let chat: string | undefined;
      return createCsvSink(
        (row, at) => {
          const own = pick(row, columns.chat ?? []);
          if (own !== chat) out.conversation(own === '' ? {} : { id: `${name}-${own}`.slice(0, 200), title: own });
          chat = own;
          readRow(row, columns, at, out);
        },
        (at, reason) => out.fault(at, reason),
      );
    },
  };
}

/** CSV of the usual exporters of WeChat. */
export const wechatCsv = createChatCsv('wechat-csv', 'WeChat chat (CSV)', WECHAT, (header) =>
  ['StrContent', 'IsSender', 'is_sender', 'talker', '消息内容', '内容', '消息'].some((mark) => header.includes(mark)),
);

/** What DiscordChatExporter writes as CSV. */
export const discordCsv = createChatCsv('discord-csv', 'Discord chat (CSV)', DISCORD, (header) =>
  header.includes('AuthorID'),
);

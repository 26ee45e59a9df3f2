import { type Columns, type Row, readRow } from '../chat-row.ts';
import type { Reader, Sample } from '../reader.ts';
import { createChatGroups } from '../sinks/chat-groups.ts';
import { createCsvSink, parseRecord } from '../sinks/csv-sink.ts';
import { toFileTitle } from '../text/file-title.ts';
import { said, unsaid, type Words } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';
import { toDiscordWords } from './discord-notices.ts';
import { toKakaoWords } from './kakaotalk-words.ts';

/** The columns of WeChat's usual exporters, and the keys of those that write JSON. */
export const WECHAT: Columns = {
  speaker: [
    'Remark',
    'NickName',
    'SenderName',
    'senderName',
    'senderDisplayName',
    'Sender',
    'sender',
    'senderUsername',
    'talker',
    '发送人',
    '发送者昵称',
    '昵称',
    '备注',
    '发送者',
    '姓名',
    '微信号',
    '发送者微信号',
  ],
  text: ['StrContent', 'content', 'msg', '消息内容', '内容', '消息', 'Content', 'message'],
  time: [
    'StrTime',
    'formattedTime',
    'createTimeText',
    '时间',
    '发送时间',
    '消息时间',
    '日期',
    'Time',
    'time',
    'CreateTime',
    'createTime',
    'timestamp',
  ],
  instant: ['CreateTime', 'createTime', 'timestamp'],
  mine: ['IsSender', 'is_sender', 'isSend', 'isSent', 'isSelf', '是否本人', '是否自己发送'],
  kind: ['renderType', 'Type', 'type_name', 'type', '类型', '消息类型'],
  chat: ['TalkerId', 'room_name', 'TalkerName', 'talkerName', 'Talker', '聊天对象', '会话', '会话名称', '群名'],
};
const KAKAO: Columns = { speaker: ['User'], text: ['Message'], time: ['Date'] };
const DISCORD: Columns = { speaker: ['Author'], text: ['Content'], time: ['Date'] };

const IMAZING: Columns = {
  speaker: ['Sender Name', 'Sender ID', 'Chat Session'],
  text: ['Text'],
  time: ['Message Date'],
  mine: ['mine'],
  kind: ['kind'],
  chat: ['chat'],
};

/** The names that tables of chats have above their columns in no known program. */
const PLAIN: Columns = {
  speaker: ['sender', 'sender_name', 'from', 'author', 'speaker', 'username', 'user', 'nickname', 'name', 'role'],
  text: ['message', 'text', 'content', 'body', 'msg', 'words'],
  mine: ['is_user', 'is_me', 'is_from_me', 'from_me'],
  time: ['datetime', 'date_time', 'timestamp', 'created_at', 'createtime', 'sent_at', 'date', 'time'],
};

const hasAny = (header: readonly string[], names: readonly string[]): boolean =>
  names.some((name) => header.includes(name));

function readHeader({ lines }: Sample): readonly string[] {
  const first = (lines.find((line) => line.trim() !== '') ?? '').replace(/^\uFEFF/u, '');
  const delimiter = findDelimiter(first);
  if (first.length > 1000 || delimiter === undefined) return [];
  try {
    return parseRecord(first, delimiter).map((cell) => cell.trim());
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

/** Tables saved by spreadsheets have tabs or semicolons between their columns. */
function findDelimiter(header: string): string | undefined {
  return [',', '\t', ';'].find((one) => header.includes(one));
}

/** Columns of lists of issues, mails and tasks. */
const RECORDS = ['title', 'subject', 'status', 'priority', 'summary', 'labels'];

/** With names of columns in small letters, and a day and a clock of two columns as one time. */
function toPlainRow(row: Row): Row {
  const plain = Object.fromEntries(Object.entries(row).map(([key, cell]) => [key.toLowerCase(), cell]));
  const { date, time, role } = plain;
  return {
    ...plain,
    ...(date !== undefined && time !== undefined && { datetime: `${date} ${time}` }),
    ...(/^(?:user|human)$/iu.test(role ?? '') && { is_user: '1' }),
  };
}

/** iMazing tells who speaks by the direction of a message, and has messages of the phone and of WhatsApp in tables of their own. */
function toImazingRow(row: Row): Row {
  const { 'Chat Session': session = '', Type: type = '', Service: service } = row;
  return {
    ...row,
    chat: session === '' ? '' : `${service === undefined ? 'WhatsApp' : 'Messages'} - ${session}`,
    kind: /^(?:incoming|outgoing)$/iu.test(type) ? 'text' : type,
    mine: /^outgoing$/iu.test(type) ? '1' : '',
  };
}

/** The mark that stands in the place of an attachment. */
const ATTACHMENT = '\uFFFC';

function toImazingWords(text: string) {
  const words = text.replaceAll(ATTACHMENT, '').trim();
  return words === '' ? unsaid('media or system message', text) : said(words);
}

interface CsvFormat {
  /** Makes a row one with the names of the columns. */
  readonly toRow?: (row: Row) => Row;
  readonly name: string;
  readonly title: string;
  readonly columns: Columns;
  readonly marks: (header: readonly string[]) => boolean;
  readonly toWords: (text: string) => Words;
}

/** The file of WeChatMsg with all chats; its others have one each. */
const ALL_CHATS = 'messages';

/**
 * What tells the chats of a table apart. WeChatMsg numbers them anew in each database of WeChat: one number may be several people, and
 * one chat has several, so there the file tells.
 */
function toChatKey(row: Row, { chat = [] }: Columns, file: string | undefined): string {
  const own = chat.map((key) => row[key]?.trim() ?? '').find((value) => value !== '') ?? '';
  const isNumbered = row['TalkerId'] === own && /^\d{1,9}$/u.test(own);
  return isNumbered && file !== undefined && file !== ALL_CHATS ? file : own;
}

function createChatCsv({ name, title, columns, marks, toWords, toRow = (row) => row }: CsvFormat): Reader {
  return {
    name,
    title,
    detect: (sample) => {
      const header = Object.keys(toRow(Object.fromEntries(readHeader(sample).map((cell) => [cell, '']))));
      return marks(header) && [columns.text, columns.time].every((names) => hasAny(header, names));
    },
    read: (out, { file, sample }) => {
      const chats = createChatGroups(out);
      const other = toFileTitle(file)?.replace(/_utf8$/u, '');
      const [first = ''] = sample.lines.filter((line) => line.trim() !== '');
      return createCsvSink(
        (record, at) => {
          const row = toRow(record);
          const own = toChatKey(row, columns, other);
          const chat = chats.of(own === '' ? {} : { id: `${name}-${own}`.slice(0, 200), title: own });
          readRow(row, { columns, at, other, toWords }, chat);
        },
        {
          onFault: (at, reason) => out.fault(at, reason),
          onEnd: chats.flush,
          delimiter: findDelimiter(first),
        },
      );
    },
  };
}

/** CSV of the usual exporters of WeChat. */
export const wechatCsv = createChatCsv({
  name: 'wechat-csv',
  title: 'WeChat chat (CSV)',
  columns: WECHAT,
  marks: (header) =>
    ['StrContent', 'IsSender', 'is_sender', 'talker', 'Talker', 'TalkerName', '消息内容', '内容', '消息'].some((mark) =>
      header.includes(mark),
    ),
  toWords: toChineseWords,
});

/** What DiscordChatExporter writes as CSV. */
export const discordCsv = createChatCsv({
  name: 'discord-csv',
  title: 'Discord chat (CSV)',
  columns: DISCORD,
  marks: (header) => header.includes('AuthorID') || (header.includes('Author') && header.includes('Attachments')),
  toWords: toDiscordWords,
});

/** What KakaoTalk saves on computers of Apple. */
export const kakaoCsv = createChatCsv({
  name: 'kakaotalk-csv',
  title: 'KakaoTalk chat (CSV)',
  columns: KAKAO,
  marks: (header) => header.join() === 'Date,User,Message',
  toWords: toKakaoWords,
});

/** What iMazing exports of the messages of an iPhone and of its WhatsApp. */
export const imazingCsv = createChatCsv({
  name: 'imazing-csv',
  title: 'iMazing chat (CSV)',
  columns: IMAZING,
  marks: (header) => ['Chat Session', 'Message Date', 'Type'].every((mark) => header.includes(mark)),
  toWords: toImazingWords,
  toRow: toImazingRow,
});

/** A table of a chat whose columns have plain English names: who, when and what. */
export const chatCsv = createChatCsv({
  name: 'csv',
  title: 'chat (CSV)',
  columns: PLAIN,
  marks: (header) => hasAny(header, PLAIN.speaker) && !hasAny(header, RECORDS),
  toWords: said,
  toRow: toPlainRow,
});

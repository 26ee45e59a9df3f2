import { type Columns, readRow } from '../chat-row.ts';
import { createCsvSink, parseRecord } from '../csv-sink.ts';
import { toFileTitle } from '../file-title.ts';
import type { Reader, Sample } from '../reader.ts';
import { toChineseWords } from './chinese-words.ts';
import { toDiscordWords } from './discord-notices.ts';

/** The columns of WeChat's usual exporters, and the keys of those that write JSON. */
export const WECHAT: Columns = {
  speaker: [
    ...['Remark', 'NickName', 'SenderName', 'senderName', 'senderDisplayName', 'Sender', 'sender', 'senderUsername'],
    ...['talker', '发送人', '发送者昵称', '昵称', '备注', '发送者', '姓名', '微信号', '发送者微信号'],
  ],
  text: ['StrContent', 'content', 'msg', '消息内容', '内容', '消息', 'Content', 'message'],
  time: [
    ...['StrTime', 'formattedTime', '时间', '发送时间', '消息时间', '日期', 'Time', 'time', 'CreateTime', 'createTime'],
    'timestamp',
  ],
  instant: ['CreateTime', 'createTime', 'timestamp'],
  mine: ['IsSender', 'is_sender', 'isSend', 'isSelf', '是否本人', '是否自己发送'],
  kind: ['Type', 'type_name', 'type', '类型', '消息类型'],
  chat: ['TalkerId', 'room_name', 'TalkerName', 'talkerName', 'Talker', '聊天对象', '会话', '会话名称', '群名'],
};
const DISCORD: Columns = { speaker: ['Author'], text: ['Content'], time: ['Date'] };

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

interface CsvFormat {
  readonly name: string;
  readonly title: string;
  readonly columns: Columns;
  readonly marks: (header: readonly string[]) => boolean;
  readonly toWords: (text: string) => { readonly text: string } | { readonly leftOut: string };
}

function createChatCsv({ name, title, columns, marks, toWords }: CsvFormat): Reader {
  return {
    name,
    title,
    detect: (sample) => {
      const header = readHeader(sample);
      return marks(header) && [columns.text, columns.time].every((names) => hasAny(header, names));
    },
    read: (out, { file, sample }) => {
      let chat: string | undefined;
      const other = toFileTitle(file)?.replace(/_utf8$/u, '');
      const [first = ''] = sample.lines.filter((line) => line.trim() !== '');
      return createCsvSink(
        (row, at) => {
          const own = columns.chat?.map((key) => row[key]?.trim() ?? '').find((value) => value !== '') ?? '';
          if (own !== chat) out.conversation(own === '' ? {} : { id: `${name}-${own}`.slice(0, 200), title: own });
          chat = own;
          readRow(row, { columns, at, other, toWords }, out);
        },
        (at, reason) => out.fault(at, reason),
        findDelimiter(first),
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

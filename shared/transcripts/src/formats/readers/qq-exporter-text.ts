import { toRowTime } from '../chat-row.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { putWords } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';

const TIME = /^时间[:：]\s*(.{4,40})$/u;
const TEXT = /^内容[:：]\s?(.*)$/su;
/** What is listed below the words: files with a kind each, whom they name, what they answer. */
const FILES = /^资源: \d{1,4} 个文件$/u;
const LISTED = /^(?: {2}- [a-z]{2,10}: \S.*|提及: \S.*|回复: \S.{0,100} - .*)$/u;
/** The end of the file. */
const FOOTER = /^(?:={20,}|\s+导出完成|总计导出 \d{1,9} 条消息|导出时间: .{8,40})$/u;
const KIND = /^类型: \S+$/u;
const NAME = /^(.{1,80})[:：]$/u;
const TITLE = /^聊天名称[:：]\s*(.{1,120})$/u;

interface Open {
  readonly turn: Omit<FoundTurn, 'text'>;
  readonly lines: string[];
  readonly at: string;
  /** Whether words have begun. */
  isText: boolean;
}

/** Words, and what is listed at their end: lines that only the exporter writes, up to the last. */
function withoutList(all: readonly string[]): { readonly lines: readonly string[]; readonly listed: string } {
  let end = all.length;
  const isListed = (line: string): boolean =>
    line.trim() === '' || FILES.test(line) || LISTED.test(line) || FOOTER.test(line);
  // The first line is words, whatever it looks like.
  while (end > 1 && isListed(all[end - 1] ?? '')) end -= 1;
  return { lines: all.slice(0, end), listed: all.slice(end).join('\n').trim() };
}

/** A name with a colon, `时间: …`, `内容: …`: the line with the time tells that the one above it is a name. */
function createBlocks(out: Out): Sink {
  let above = '';
  let open: Open | undefined;
  const close = () => {
    if (open === undefined) return;
    const { lines, listed } = withoutList(open.lines);
    if (listed !== '') out.leftOut('media, or what is listed of a message', open.at, listed);
    putWords(toChineseWords(lines.join('\n').trim()), open.turn, open.at, out);
    open = undefined;
  };
  const begin = (name: string, time: string, number: number) => {
    // The name was taken for a line of the message above it.
    open?.lines.pop();
    close();
    const stated = toRowTime(time.trim());
    if (stated === undefined) return out.fault(`line ${number}`, 'there is no such date or time');
    open = { turn: { speaker: name, role: 'participant', ...stated }, lines: [], at: `line ${number}`, isText: false };
  };
  const goOn = (line: string, number: number) => {
    if (open === undefined) {
      if (line.trim() !== '') out.leftOut('line above the first turn', `line ${number}`, line);
      return;
    }
    const text = open.isText ? undefined : TEXT.exec(line)?.[1];
    if (text !== undefined) open.isText = true;
    if (!open.isText && KIND.test(line)) return;
    open.lines.push(text ?? line);
  };
  return createLineSink((line, number) => {
    const title = open === undefined && line.length < 200 ? TITLE.exec(line)?.[1] : undefined;
    const time = line.length < 60 ? TIME.exec(line)?.[1] : undefined;
    const name = time === undefined || above.length > 100 ? undefined : NAME.exec(above)?.[1];
    if (title !== undefined) out.conversation({ id: `qq-${title}`, title });
    else if (name !== undefined && time !== undefined) begin(name, time, number);
    else goOn(line, number);
    above = line;
  }, close);
}

/** What QQChatExporter writes as text. */
export const qqExporterText: Reader = {
  name: 'qq-exporter',
  title: 'QQ chat (QQChatExporter text)',
  detect: ({ lines }) =>
    lines.some((line, at) => line.length < 60 && TIME.test(line) && NAME.test((lines[at - 1] ?? '').slice(0, 100))) &&
    lines.some((line) => TEXT.test(line)),
  read: (out) => createBlocks(out),
};

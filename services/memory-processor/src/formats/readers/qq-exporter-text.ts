import { toRowTime } from '../chat-row.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { toChineseWords } from './chinese-words.ts';

const TIME = /^时间[:：]\s*(.{4,40})$/u;
const TEXT = /^内容[:：]\s?(.*)$/su;
const FIELD = /^(?:类型|资源|提及|回复)[:：]/u;
const NAME = /^(.{1,80})[:：]$/u;
const TITLE = /^聊天名称[:：]\s*(.{1,120})$/u;
const RULE = /^={10,}$/u;

interface Open {
  readonly turn: Omit<FoundTurn, 'text'>;
  readonly lines: string[];
  /** Whether lines go on with the words: not below what is listed of a message. */
  isText: boolean;
}

/** A name with a colon, `时间: …`, `内容: …`: the line with the time tells that the one above it is a name. */
function createBlocks(out: Out): Sink {
  let above = '';
  let open: Open | undefined;
  const close = () => {
    if (open === undefined) return;
    const words = toChineseWords(open.lines.join('\n').trim());
    if ('leftOut' in words) out.leftOut(words.leftOut);
    else out.turn({ ...open.turn, text: words.text });
    open = undefined;
  };
  const begin = (name: string, time: string, number: number) => {
    // The name was taken for a line of the message above it.
    open?.lines.pop();
    close();
    const told = toRowTime(time.trim());
    if (told === undefined) return out.fault(`line ${number}`, 'there is no such date or time');
    open = { turn: { speaker: name, role: 'participant', ...told }, lines: [], isText: false };
  };
  const goOn = (line: string) => {
    const text = TEXT.exec(line)?.[1];
    if (open === undefined) return;
    if (text !== undefined && open.lines.length === 0) {
      open.lines.push(text);
      open.isText = true;
    } else if (FIELD.test(line) || RULE.test(line)) open.isText = false;
    else open.lines.push(open.isText ? line : '');
  };
  return createLineSink((line, number) => {
    const title = open === undefined && line.length < 200 ? TITLE.exec(line)?.[1] : undefined;
    const time = line.length < 60 ? TIME.exec(line)?.[1] : undefined;
    const name = time === undefined || above.length > 100 ? undefined : NAME.exec(above)?.[1];
    if (title !== undefined) out.conversation({ id: `qq-${title}`, title });
    else if (name !== undefined && time !== undefined) begin(name, time, number);
    else goOn(line);
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

import { toRowWall } from '../chat-row.ts';
import type { DayOrder, Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import type { Words } from '../words.ts';
import { toDiscordWords } from './discord-notices.ts';

const HEAD = /^\[(\d{1,5})([./-])(\d{1,2})\2(\d{1,5}),? (\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AP])M)?\] (.{1,80})$/iu;
/** `[13-May-23 02:03 PM]` of versions before 2.41. */
const HEAD_NAMED = /^\[(\d{1,2}-[A-Z][a-z]{2}-\d{2,4} \d{1,2}:\d{2}(?: [AP]M)?)\] (.{1,80})$/u;
const RULE = /^={20,}$/u;
/** What the exporter writes below the last message. */
const FOOTER = /(?:^|\n)={20,80}\nExported [\d.,]{1,12} message\(s\)\n={20,80}$/u;
/** It stands within so many characters from the end. */
const MAX_FOOTER = 240;
const PREAMBLE = /^(?:Guild|Channel|Topic|After|Before|Exported \d)/u;
const SECTION = /^\{(?:Attachments|Embed|Stickers|Reactions|Forwarded Message)\}$/u;

function toDay(first: string, second: string, third: string, order: DayOrder) {
  if (first.length >= 4) return { year: Number(first), month: Number(second), day: Number(third) };
  const year = Number(third) < 100 ? 2000 + Number(third) : Number(third);
  const [day, month] = order === 'day-first' ? [first, second] : [second, first];
  return { year, month: Number(month), day: Number(day) };
}

function readHead(line: string, order: DayOrder): HeadedLine | undefined {
  const named = line.length > 200 ? null : HEAD_NAMED.exec(line);
  if (named !== null) return toHead(named[2] ?? '', toRowWall(named[1] ?? ''));
  const found = line.length > 200 ? null : HEAD.exec(line);
  if (found === null) return undefined;
  const [, first = '', , second = '', third = '', hour, minute, seconds = '0', half, name = ''] = found;
  const time = { hour: toHour(Number(hour), half), minute: Number(minute), second: Number(seconds) };
  const wall = toWall({ ...toDay(first, second, third, order), ...time });
  return toHead(name, wall);
}

function toHead(name: string, wall: string | undefined): HeadedLine {
  if (wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
  const speaker = name.replace(/ \(pinned\)$/u, '').replace(/#\d{4}$/u, '');
  return { kind: 'head', turn: { speaker, role: 'participant', wall }, text: '' };
}

/** The words of a message, without what the exporter lists below them. */
function toWords(text: string): Words {
  const [footer = ''] = FOOTER.exec(text.slice(-MAX_FOOTER)) ?? [];
  const lines = text.slice(0, text.length - footer.length).split('\n');
  const end = lines.findIndex((line) => SECTION.test(line));
  const listed = end < 0 ? [] : lines.slice(end);
  const words = toDiscordWords((end < 0 ? lines : lines.slice(0, end)).join('\n'));
  const isAlone = words.text === '' && words.leftOut.every(({ text: own }) => own === '');
  const parts = [listed.join('\n'), footer.trim()].filter((part) => part !== '');
  const leftOut = parts.map((part) => ({
    what: part === footer.trim() ? 'line of the exporter' : 'media',
    text: part,
  }));
  return { text: words.text, leftOut: isAlone && leftOut.length > 0 ? leftOut : [...words.leftOut, ...leftOut] };
}

/** What DiscordChatExporter writes as plain text. */
export const discordText: Reader = {
  name: 'discord-text',
  title: 'Discord chat (text)',
  detect: ({ lines }) =>
    lines.some((line) => RULE.test(line)) &&
    lines.slice(0, 20).some((line) => /^(?:Guild|Channel): /u.test(line)) &&
    lines.some((line) => line.length <= 200 && (HEAD.test(line) || HEAD_NAMED.test(line))),
  read: (out, { sample, dayOrder }) => {
    const dates = sample.lines
      .flatMap((line) => (line.length <= 200 ? [HEAD.exec(line)] : []))
      .filter((found) => found !== null);
    // The exporter writes the United States' order by default.
    const isDayFirst = dates.some(([, first = '', mark]) => first.length < 4 && (Number(first) > 12 || mark === '.'));
    const order = dayOrder ?? (isDayFirst ? 'day-first' : 'month-first');
    let title: string | undefined;
    let isBegun = false;
    const readLine = (line: string): HeadedLine | undefined => {
      const head = readHead(line, order);
      isBegun ||= head !== undefined;
      if (isBegun) return head;
      if (RULE.test(line)) return { kind: 'nothing' };
      const channel = /^Channel: (.{1,200})$/u.exec(line)?.[1];
      if (channel !== undefined && title === undefined) {
        title = channel;
        return { kind: 'conversation', title };
      }
      return PREAMBLE.test(line) ? { kind: 'nothing' } : undefined;
    };
    return createHeadedLineSink({ readLine, toWords }, out);
  },
};

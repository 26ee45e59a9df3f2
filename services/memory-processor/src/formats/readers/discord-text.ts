import { toRowWall } from '../chat-row.ts';
import type { DayOrder, Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import { toDiscordWords } from './discord-notices.ts';

const HEAD = /^\[(\d{1,5})([./-])(\d{1,2})\2(\d{1,5}),? (\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AP])M)?\] (.{1,80})$/iu;
/** `[13-May-23 02:03 PM]` of versions before 2.41. */
const HEAD_NAMED = /^\[(\d{1,2}-[A-Z][a-z]{2}-\d{2,4} \d{1,2}:\d{2}(?: [AP]M)?)\] (.{1,80})$/u;
const RULE = /^={20,}$/u;
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
function toWords(text: string) {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => SECTION.test(line));
  return toDiscordWords((end < 0 ? lines : lines.slice(0, end)).join('\n'));
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
    // The exporter writes the United States' order unless told otherwise.
    const isDayFirst = dates.some(([, first = '', mark]) => first.length < 4 && (Number(first) > 12 || mark === '.'));
    const order = dayOrder ?? (isDayFirst ? 'day-first' : 'month-first');
    let title: string | undefined;
    const readLine = (line: string): HeadedLine | undefined => {
      if (RULE.test(line))
        return title === undefined ? { kind: 'nothing' } : { kind: 'left out', what: 'line of the exporter' };
      const channel = /^Channel: (.{1,200})$/u.exec(line)?.[1];
      if (channel !== undefined && title === undefined) {
        title = channel;
        return { kind: 'conversation', title };
      }
      return readHead(line, order) ?? (PREAMBLE.test(line) && title === undefined ? { kind: 'nothing' } : undefined);
    };
    return createHeadedLineSink({ readLine, toWords }, out);
  },
};

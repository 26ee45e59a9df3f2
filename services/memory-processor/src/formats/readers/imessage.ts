import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { toFileTitle } from '../text/file-title.ts';
import { toHour, toWall } from '../text/wall-time.ts';

/** `May 17, 2022  5:29:42 PM (Read by them after 1 hour, 49 seconds)`; behind a notice stand its words. */
const STAMP =
  /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4}) {1,2}(\d{1,2}):(\d{2}):(\d{2}) ([AP])M(?: \([^()]{1,120}\))?(?<notice> .{1,500})?$/u;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Lines that the exporter writes below the words. */
const ADDED =
  /^(?:This message responded to an earlier message\.|Sent with .{1,60}|(?:\/|~\/|[A-Z]:\\).{1,300}\.\w{2,5}|Edited .{1,40} later: .{0,500})$/u;
/** Reactions and the answers of a thread stand indented; the answers come again at their own time. */
const INDENTED = /^(?: {4}|\t)/u;

function toTime(line: string): { readonly wall: string | undefined; readonly isNotice: boolean } | undefined {
  const found = line.length > 700 ? null : STAMP.exec(line);
  if (found === null) return undefined;
  const [, month = '', day, year, hour, minute, second, half] = found;
  const wall = toWall({
    ...{ year: Number(year), month: MONTHS.indexOf(month) + 1, day: Number(day) },
    ...{ hour: toHour(Number(hour), half), minute: Number(minute), second: Number(second) },
  });
  return { wall, isNotice: found.groups?.['notice'] !== undefined };
}

function toWords(lines: readonly string[]): string {
  const end = lines.indexOf('Tapbacks:');
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !INDENTED.test(line) && !ADDED.test(line));
  return own.join('\n').trim();
}

function createChat(out: Out): Sink {
  let open: { readonly wall: string; speaker?: string; readonly lines: string[] } | undefined;
  let isAfterBlank = true;
  const close = (): void => {
    if (open?.speaker === undefined) return;
    const { speaker, wall, lines } = open;
    const text = toWords(lines);
    const who: Pick<FoundTurn, 'role' | 'speaker'> =
      speaker === 'Me' ? { role: 'user' } : { role: 'participant', speaker };
    if (text === '') out.leftOut('media');
    else out.turn({ ...who, text, wall });
  };
  return createLineSink((line, number) => {
    const time = isAfterBlank ? toTime(number === 1 ? line.replace(/^\uFEFF/u, '') : line) : undefined;
    isAfterBlank = line === '';
    if (time !== undefined) {
      close();
      open = time.isNotice || time.wall === undefined ? undefined : { wall: time.wall, lines: [] };
      if (time.isNotice) out.leftOut('system message');
      else if (time.wall === undefined) out.fault(`line ${number}`, 'there is no such date or time');
    } else if (open === undefined && line.trim() !== '') out.leftOut('line below what is left out');
    else if (open !== undefined && open.speaker === undefined) open.speaker = line;
    else open?.lines.push(line);
  }, close);
}

/** The text that imessage-exporter writes of a chat of Messages. */
export const imessage: Reader = {
  name: 'imessage',
  title: 'iMessage chat (imessage-exporter)',
  detect: ({ lines }) => {
    const first = lines.findIndex((line) => line.trim() !== '');
    const time = toTime(lines[first] ?? '');
    return time !== undefined && (time.isNotice || (lines[first + 1] ?? '').trim() !== '');
  },
  read: (out, { file }) => {
    const title = toFileTitle(file);
    out.conversation({ ...(title !== undefined && { id: `imessage-${title}`.slice(0, 200) }), title });
    return createChat(out);
  },
};

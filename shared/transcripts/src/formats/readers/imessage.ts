import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { findImessageLine } from '../templates/messengers.ts';
import { toFileTitle } from '../text/file-title.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import { type LeftOutPart, putWords, type Words } from '../words.ts';

/** `May 17, 2022  5:29:42 PM (Read by them after 1 hour, 49 seconds)`; behind a notice stand its words. */
const STAMP =
  /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4}) {1,2}(\d{1,2}):(\d{2}):(\d{2}) ([AP])M(?: \([^()]{1,120}\))?(?<notice> .{1,500})?$/u;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The file of an attachment, where the exporter or Messages keeps it. */
const FILE = /^(?:\/|~\/|[A-Z]:\\)[^\n]{0,280}[\\/]attachments[\\/][^\n]{1,200}\.\w{2,5}$/iu;
/** `Edited 12 seconds later: the new words`; below the time of the first version stand its words in the same line. */
const EDITED = /^Edited \d[^\n:]{0,60} later: /u;
/** The first version of a message that was changed has its time in front of it. */
const FIRST_VERSION = /^[A-Z][a-z]{2} \d{1,2}, \d{4} {1,2}\d{1,2}:\d{2}:\d{2} [AP]M (?=\S)/u;
const REACTIONS = /^(?:Tapbacks|Reactions):$/u;
/** What a thread has in place, indented: the answers come again at their own time. */
const THREAD = /^ {4}[A-Z][a-z]{2} \d{1,2}, \d{4} {1,2}\d{1,2}:\d{2}:\d{2} [AP]M(?: \(|$)/u;

function toTime(line: string): { readonly wall: string | undefined; readonly isNotice: boolean } | undefined {
  const found = line.length > 700 ? null : STAMP.exec(line);
  if (found === null) return undefined;
  const [, month = '', day, year, hour, minute, second, half] = found;
  const wall = toWall({
    year: Number(year),
    month: MONTHS.indexOf(month) + 1,
    day: Number(day),
    hour: toHour(Number(hour), half),
    minute: Number(minute),
    second: Number(second),
  });
  return { wall, isNotice: found.groups?.['notice'] !== undefined };
}

/** The words of a message: of one that was changed the last version, without reactions, answers and lines of the exporter. */
function toWords(lines: readonly string[]): Words {
  const end = lines.findIndex(
    (line, at) => THREAD.test(line) || (REACTIONS.test(line) && / (?:by|from) \S/u.test(lines[at + 1] ?? '')),
  );
  const leftOut: LeftOutPart[] = [];
  const below = end < 0 ? [] : lines.slice(end);
  if (below.length > 0) leftOut.push({ what: 'reaction, or answer that comes again', text: below.join('\n').trim() });
  let own: string[] = [];
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const reason = FILE.test(line) ? 'media' : findImessageLine(line);
    if (reason !== undefined) leftOut.push({ what: reason, text: line });
    else if (own.length > 0 && EDITED.test(line)) {
      leftOut.push({ what: 'earlier version of a message', text: own.join('\n') });
      own = [line.replace(EDITED, '')];
    } else own.push(line);
  }
  return { text: own.join('\n').replace(FIRST_VERSION, '').trim(), leftOut };
}

function createChat(out: Out): Sink {
  let open: { readonly wall: string; readonly at: string; speaker?: string; readonly lines: string[] } | undefined;
  let isAfterBlank = true;
  const close = (): void => {
    if (open?.speaker === undefined) return;
    const { speaker, wall, lines } = open;
    const who: Pick<FoundTurn, 'role' | 'speaker'> =
      speaker === 'Me' ? { role: 'user' } : { role: 'participant', speaker };
    putWords(toWords(lines), { ...who, wall }, open.at, out);
  };
  return createLineSink((line, number) => {
    const time = isAfterBlank ? toTime(number === 1 ? line.replace(/^\uFEFF/u, '') : line) : undefined;
    isAfterBlank = line === '';
    if (time !== undefined) {
      close();
      open =
        time.isNotice || time.wall === undefined ? undefined : { wall: time.wall, at: `line ${number}`, lines: [] };
      if (time.isNotice) out.leftOut('system message', `line ${number}`, line);
      else if (time.wall === undefined) out.fault(`line ${number}`, 'there is no such date or time');
    } else if (open === undefined && line.trim() !== '')
      out.leftOut('line below what is left out', `line ${number}`, line);
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

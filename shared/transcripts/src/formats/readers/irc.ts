import type { Reader, Sample } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { toFileTitle } from '../text/file-title.ts';
import { toWall } from '../text/wall-time.ts';
import { said } from '../words.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const STAMP =
  /^(?:\[(?<in>[^\]]{5,25})\]|(?<bare>(?:\d{4}-\d{2}-\d{2}[ T]|[A-Z][a-z]{2} {1,2}\d{1,2} )?\d{2}:\d{2}(?::\d{2})?))(?<rest>\s.*)$/su;
const CLOCK =
  /^(?:(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[ T]|(?<name>[A-Z][a-z]{2}) {1,2}(?<date>\d{1,2}) )?(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/u;
/** `<ann> hi`, `< @ann> hi`, and of WeeChat `ann⇥hi`. */
const SAID = /^\s<\s?[@+~&%!]?(?<nick>[^\s<>]{1,40})>[ \t](?<text>.*)$/su;
const SAID_IN_COLUMNS = /^\t[@+~&%!]?(?<nick>[^\s\t<>*-][^\t]{0,40})\t(?<text>.*)$/su;
/** `* ann waves` tells what somebody does. */
const DONE = /^\s{1,3}\*[ \t](?<nick>[^\s*]{1,40}) (?<text>\S.*)$/su;
const DONE_IN_COLUMNS = /^\t ?\*\t(?<nick>\S{1,40}) (?<text>\S.*)$/su;

/** `--- Day changed Wed Mar 06 2024`, `**** BEGIN LOGGING AT Tue Mar  5 09:00:00 2024`, `Session Start: Tue Mar 05 …`. */
const HEADER =
  /^(?:--- (?:Log opened|Log closed|Day changed) \S|\*{4} (?:BEGIN|ENDING) LOGGING AT \S|Session (?:Start|Time|Close|Ident): \S)/u;
const HEADER_DATE = /\s(?<name>[A-Z][a-z]{2}) {1,2}(?<date>\d{1,2})(?: \d{2}:\d{2}:\d{2})? (?<year>\d{4})\s*$/u;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const toMonth = (name: string | undefined): number => MONTHS.indexOf((name ?? '').toLowerCase()) + 1;

/** The day that a file of ZNC or energymech is named after: `2024-03-05.log`, `#tea_20240305.log`. */
function toFileDay(file: string): Day | undefined {
  const [, year, month, day] = /(\d{4})-?(\d{2})-?(\d{2})(?=\D*$)/u.exec(toFileTitle(file) ?? '') ?? [];
  const found = { year: Number(year), month: Number(month), day: Number(day) };
  return year === undefined || toWall(found) === undefined ? undefined : found;
}

function toHeaderDay(line: string): Day | undefined {
  const found = HEADER_DATE.exec(line.slice(0, 200))?.groups;
  return found === undefined
    ? undefined
    : { year: Number(found['year']), month: toMonth(found['name']), day: Number(found['date']) };
}

/** What somebody said or did in a line, with the clock in front of it; undefined of any other line. */
function readSaid(line: string) {
  const { in: within, bare, rest = '' } = STAMP.exec(line)?.groups ?? {};
  const clock = CLOCK.exec(within ?? bare ?? '')?.groups;
  if (clock === undefined) return undefined;
  const said = (SAID.exec(rest) ?? SAID_IN_COLUMNS.exec(rest))?.groups;
  const done = said === undefined ? (DONE.exec(rest) ?? DONE_IN_COLUMNS.exec(rest))?.groups : undefined;
  return { clock, said, done };
}

function createLineReader(first: Day | undefined): (line: string) => HeadedLine | undefined {
  let day = first;
  return (line) => {
    if (HEADER.test(line)) {
      day = toHeaderDay(line) ?? day;
      return { kind: 'left out', what: 'system message' };
    }
    const found = readSaid(line);
    if (found === undefined) return undefined;
    const { clock, said, done } = found;
    const words = said ?? done;
    if (words === undefined) return { kind: 'left out', what: 'system message' };
    // A day without a year is of the year that the log began in.
    const own =
      clock['year'] !== undefined
        ? { year: Number(clock['year']), month: Number(clock['month']), day: Number(clock['day']) }
        : clock['name'] !== undefined && day !== undefined
          ? { year: day.year, month: toMonth(clock['name']), day: Number(clock['date']) }
          : day;
    const time = { hour: Number(clock['hour']), minute: Number(clock['minute']), second: Number(clock['second'] ?? 0) };
    const wall = own === undefined ? undefined : toWall({ ...own, ...time });
    if (own !== undefined && wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
    const speaker = words['nick']?.trim() ?? '';
    const text = said === undefined ? `* ${speaker} ${words['text']}` : (words['text'] ?? '');
    return { kind: 'head', turn: { speaker, role: 'participant', wall }, text };
  };
}

/** Colours, bold and the like. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters that IRC formats words with
const FORMATTING = /\u0003(?:\d{1,2}(?:,\d{1,2})?)?|[\u0002\u000f\u0016\u001d\u001e\u001f]/gu;

function toWords(text: string) {
  const plain = text.replace(FORMATTING, '').trim();
  return said(plain);
}

/** WeeChat's lines stand in columns, as those of WeChat do; what joins, leaves and happens has marks in place of a name. */
const COLUMNS = /^\S{1,10} ?\S{0,8}\t/u;
const MARKED = /^\S{1,10} ?\S{0,8}\t\s?(?:-->|<--|--|\*)\t/u;

/** A log has lines with names, and next to no other ones. */
function isLog({ lines }: Sample): boolean {
  const filled = lines.filter((line) => line.trim() !== '').map((line) => line.slice(0, 2_000));
  if (filled.some((line) => COLUMNS.test(line)) && !filled.some((line) => MARKED.test(line))) return false;
  const found = filled.map(readSaid);
  const said = found.filter((one) => one?.said !== undefined).length;
  const known = filled.filter((line, at) => found[at] !== undefined || HEADER.test(line)).length;
  return said >= 2 && 10 * known >= 9 * filled.length;
}

const NO_DAY = 'its lines tell the time and no day, so its turns are undated: give --date';

/** Logs of irssi, WeeChat, HexChat, mIRC, ZNC and energymech. */
export const irc: Reader = {
  name: 'irc',
  title: 'IRC log',
  detect: isLog,
  read: (out, { sample, file, date }) => {
    const given = date === undefined ? [] : date.slice(0, 10).split('-').map(Number);
    const [year, month, day] = given;
    const own = year === undefined || month === undefined || day === undefined ? undefined : { year, month, day };
    const first = toFileDay(file) ?? own;
    const hasDay = first !== undefined || sample.lines.some((line) => HEADER.test(line) || /^\[?\d{4}-/u.test(line));
    if (!hasDay) out.note(NO_DAY);
    const title = toFileTitle(file);
    out.conversation({ title });
    return createHeadedLineSink({ readLine: createLineReader(first), toWords }, out);
  },
};

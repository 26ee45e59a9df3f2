import type { Reader, Sample } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { findLineNotice, LINE_MEMBERS } from '../templates/line.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import { said, unsaid } from '../words.ts';

/** `2024/03/05(Tue)`, `2024.03.05 星期二`, `Tue, 3/5/2024`. */
const DAY =
  /^(?:[^\d\t]{2,12}, ?)?(?:(?<year>\d{4})[./](?<month>\d{1,2})[./](?<day>\d{1,2})|(?<month2>\d{1,2})\/(?<day2>\d{1,2})\/(?<year2>\d{4}))(?:\s?[(（]?[^\d\t]{1,12}[)）]?)?$/u;
const SAID =
  /^(?<half>上午|下午|午前|午後|오전|오후)?\s?(?<hour>\d{1,2}):(?<minute>\d{2})(?:\s?(?<ap>[AP])M)?\t(?<name>[^\t]{1,100})\t(?<text>.*)$/su;
/** A line of nobody begins with its time. */
const TIMED = /^(?:上午|下午|午前|午後|오전|오후)?\s?\d{1,2}:\d{2}(?:\s?[AP]M)?(?<gap>[\t ])(?<rest>.*)$/su;
/** `10:20 花子 こんにちは` of newer versions on computers, which write blanks. */
const SPACED =
  /^(?<half>上午|下午|午前|午後|오전|오후)?\s?(?<hour>\d{1,2}):(?<minute>\d{2})(?:\s?(?<ap>[AP])M)? (?<rest>\S.*)$/su;
/** So many lines tell what names stand in them. */
const MAX_SEEN = 2_000;
const HEAD = /^\[LINE\]\s?(?<title>.{1,200})$/u;
const SAVED = /^(?:Saved on|儲存日期|保存日期|保存日時|저장한 날짜)\s?[:：]/u;
/** The names with which lines begin: the first words that come again, and a second that always follows them. */
function findNames(lines: readonly string[]): ReadonlySet<string> {
  const seconds = new Map<string, string[]>();
  for (const one of lines.slice(0, MAX_SEEN)) {
    const [first = '', second] = (SPACED.exec(one.slice(0, 200))?.groups?.['rest'] ?? '').split(' ');
    const known = seconds.get(first) ?? [];
    if (second !== undefined) known.push(second);
    seconds.set(first, known);
  }
  const names = [...seconds]
    .filter(([, next]) => next.length > 0)
    .map(([first, next]) => (next.length >= 3 && next.every((one) => one === next[0]) ? `${first} ${next[0]}` : first));
  return new Set(names);
}

/** Whether lines have blanks between the time, the name and the words: LINE says so itself, or names come again. */
function isSpaced({ lines }: Sample): boolean {
  const seen = lines.slice(0, MAX_SEEN);
  if (seen.some((one) => SAID.test(one.slice(0, 200))) || !seen.some((one) => one.length < 60 && DAY.test(one)))
    return false;
  const said = seen.filter((one) => SPACED.test(one.slice(0, 200)));
  const names = new Set(said.map((one) => SPACED.exec(one.slice(0, 200))?.groups?.['rest']?.split(' ')[0]));
  return said.length > 0 && (seen.some((one) => HEAD.test(one)) || (said.length >= 4 && 2 * names.size <= said.length));
}

type Said = Readonly<Record<string, string | undefined>>;

/** Reads a line that somebody said: between tabs, or between blanks where names are known. */
function createSaid(sample: Sample): (line: string) => Said | undefined {
  if (!isSpaced(sample)) return (line) => SAID.exec(line)?.groups;
  const names = findNames(sample.lines);
  return (line) => {
    const said = SPACED.exec(line)?.groups;
    const rest = said?.['rest'] ?? '';
    const [first = '', second = ''] = rest.slice(0, 200).split(' ', 2);
    const name = [`${first} ${second}`, first].find((one) => names.has(one) && rest.startsWith(`${one} `));
    return said === undefined || name === undefined ? undefined : { ...said, name, text: rest.slice(name.length + 1) };
  };
}

/** Between tabs, a time without a name is a line of nobody; between blanks it has to tell of somebody who speaks in the chat. */
function createNoticeTest(sample: Sample): (line: string) => boolean {
  const isBlank = isSpaced(sample);
  const names = findNames(sample.lines);
  return (line) => {
    const { gap, rest = '' } = (line.length < 300 ? TIMED.exec(line)?.groups : undefined) ?? {};
    if (gap === undefined) return false;
    if (!isBlank) return gap === '\t';
    return LINE_MEMBERS.some((pattern) => names.has(pattern.exec(rest)?.groups?.['name'] ?? ''));
  };
}

function createLineReader(sample: Sample): (line: string) => HeadedLine | undefined {
  const readSaid = createSaid(sample);
  const isNotice = createNoticeTest(sample);
  let day: { year: number; month: number; day: number } | undefined;
  return (line) => {
    const title = HEAD.exec(line)?.groups?.['title'];
    if (title !== undefined) return { kind: 'conversation', title };
    if (SAVED.test(line)) return { kind: 'nothing' };
    const date = line.length < 60 ? DAY.exec(line)?.groups : undefined;
    if (date !== undefined) {
      const { year, month, day: own, year2, month2, day2 } = date;
      day = { year: Number(year ?? year2), month: Number(month ?? month2), day: Number(own ?? day2) };
      return { kind: 'left out', what: 'line with a date' };
    }
    const said = readSaid(line);
    if (said === undefined) return isNotice(line) ? { kind: 'left out', what: 'system message' } : undefined;
    const { half, hour, minute, ap, name, text } = said;
    const time = { hour: toHour(Number(hour), half ?? ap), minute: Number(minute) };
    const wall = day === undefined ? undefined : toWall({ ...day, ...time });
    if (day !== undefined && wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
    return { kind: 'head', turn: { speaker: name, role: 'participant', wall }, text: text ?? '' };
  };
}

/** A message of several lines stands between quotation marks. */
function toWords(text: string) {
  const plain = /^".*\n.*"$/su.test(text) ? text.slice(1, -1) : text;
  const reason = findLineNotice(plain);
  return reason === undefined ? said(plain) : unsaid(reason, plain);
}

/** The text that LINE saves of a chat. */
export const line: Reader = {
  name: 'line',
  title: 'LINE chat',
  detect: (sample) => {
    const { lines } = sample;
    if (isSpaced(sample)) return true;
    const said = lines.filter((one) => one.length < 2_000 && SAID.test(one)).length;
    return said > 0 && (lines.some((one) => HEAD.test(one)) || lines.some((one) => one.length < 60 && DAY.test(one)));
  },
  read: (out, { sample }) => createHeadedLineSink({ readLine: createLineReader(sample), toWords }, out),
};

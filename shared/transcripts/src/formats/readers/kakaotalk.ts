import type { Out, Reader, ReaderOptions, Sample, Sink } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { KAKAO_MEMBERS } from '../templates/kakaotalk.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import { toKakaoWords } from './kakaotalk-words.ts';

const TITLE =
  /^(?:(?<korean>.{1,100}?)\s?(?:님과(?:의)?\s)?카카오톡 대화|KakaoTalk Chats with (?<after>.{1,100})|(?<before>.{1,100}) with KakaoTalk Chats)$/u;
const SAVED = /^(?:저장한 날짜|Date Saved)\s?[:：]/u;
/** Phones write the name of their file above all. */
const FILE = /^Talk_\d{4}\..{5,40}\.txt$/u;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DAY = String.raw`(?:(?<year>\d{4})(?:년|\.|-)\s?(?<month>\d{1,2})(?:월|\.|-)\s?(?<day>\d{1,2})(?:일|\.)?|(?<name>[A-Z][a-z]{2,8})\.? (?<nameDay>\d{1,2}), (?<nameYear>\d{4}))`;
const CLOCK = String.raw`(?:(?<half>오전|오후)\s?)?(?<hour>\d{1,2}):(?<minute>\d{2})(?:\s?(?<ap>[AP])\.?M\.?)?`;
/** `--------------- 2024년 3월 5일 화요일 ---------------` of computers; phones write it without dashes. */
const DAY_LINE = new RegExp(
  String.raw`^(?:-{5,}\s)?(?:[A-Z][a-z]{5,8}, )?${DAY}(?:\s[월화수목금토일]요일)?(?:\s-{5,})?$`,
  'u',
);
/** `[Ann] [오전 9:00] words` of computers. */
const SAID = new RegExp(String.raw`^\[(?<who>[^\]]{1,100})\] \[${CLOCK}\] (?<text>.*)$`, 'isu');
/** `2024년 3월 5일 오전 9:00, Ann : words` of phones; a notice has no name, a line of a day and a time no words. */
const DATED = new RegExp(
  String.raw`^${DAY}(?:,? at|,)?\s${CLOCK}(?:, (?:(?<who>[^\n]{1,100}?) : (?<text>.*)|(?<notice>.*))|: (?<told>.*))?$`,
  'isu',
);
/** A line with a time is no longer than this before its words, in characters. */
const MAX_HEAD = 200;
type Groups = Readonly<Record<string, string | undefined>>;
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function toDay({ year, month, day, name, nameDay, nameYear }: Groups): Day {
  if (year !== undefined) return { year: Number(year), month: Number(month), day: Number(day) };
  const number = MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
  return { year: Number(nameYear), month: number, day: Number(nameDay) };
}

function toHead({ who, text = '', half, ap, hour, minute }: Groups, day: Day | undefined): HeadedLine {
  const time = { hour: toHour(Number(hour), half ?? ap), minute: Number(minute) };
  const wall = day === undefined ? undefined : toWall({ ...day, ...time });
  if (day !== undefined && wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
  return { kind: 'head', turn: { speaker: who, role: 'participant', wall }, text };
}

/** The parts of a line; only its beginning is matched, since its words may be long. */
function match(pattern: RegExp, line: string): Groups | undefined {
  const groups = pattern.exec(line.slice(0, MAX_HEAD))?.groups;
  if (groups?.['text'] === undefined) return groups;
  return { ...groups, text: groups['text'] + line.slice(MAX_HEAD) };
}

/** What computers write between messages, without a time: it tells of somebody who speaks in the chat. */
const isOfMember = (line: string, names: ReadonlySet<string>): boolean =>
  line.length <= MAX_HEAD && KAKAO_MEMBERS.some((pattern) => names.has(pattern.exec(line)?.groups?.['name'] ?? ''));

function createLines({ lines }: Sample): (line: string) => HeadedLine | undefined {
  const names = new Set(lines.flatMap((line) => match(SAID, line)?.['who'] ?? []));
  let day: Day | undefined;
  let isBegun = false;
  const readAbove = (line: string): HeadedLine | undefined => {
    if (SAVED.test(line) || FILE.test(line)) return { kind: 'nothing' };
    const groups = line.length > MAX_HEAD ? undefined : TITLE.exec(line)?.groups;
    const title = groups?.['korean'] ?? groups?.['after'] ?? groups?.['before'];
    return title === undefined ? undefined : { kind: 'conversation', title };
  };
  return (line) => {
    const above = isBegun ? undefined : readAbove(line);
    if (above !== undefined) return above;
    const date = line.length > MAX_HEAD ? undefined : DAY_LINE.exec(line)?.groups;
    if (date !== undefined) {
      [day, isBegun] = [toDay(date), true];
      return { kind: 'left out', what: 'line with a date' };
    }
    const said = match(SAID, line);
    if (said !== undefined) return toHead(said, day);
    const dated = match(DATED, line);
    if (dated === undefined) return isOfMember(line, names) ? { kind: 'left out', what: 'system message' } : undefined;
    isBegun = true;
    if (dated['who'] !== undefined) return toHead(dated, toDay(dated));
    const isNotice = dated['notice'] !== undefined || dated['told'] !== undefined;
    return { kind: 'left out', what: isNotice ? 'system message' : 'line with a date' };
  };
}

function isKakao({ lines }: Sample): boolean {
  const isMarked = lines
    .slice(0, 4)
    .some((line) => line.length <= MAX_HEAD && TITLE.test(line.replace(/^\uFEFF/u, '')));
  const isSaved = lines.slice(0, 5).some((line) => SAVED.test(line));
  if (!isMarked && !isSaved) return false;
  return lines.some((line) => match(SAID, line) !== undefined || match(DATED, line)?.['who'] !== undefined);
}

const createChat = (out: Out, { sample }: ReaderOptions): Sink =>
  createHeadedLineSink({ readLine: createLines(sample), toWords: toKakaoWords }, out);

/** The text that KakaoTalk saves of a chat, on computers and on phones, in Korean and English. */
export const kakaotalk: Reader = { name: 'kakaotalk', title: 'KakaoTalk chat', detect: isKakao, read: createChat };

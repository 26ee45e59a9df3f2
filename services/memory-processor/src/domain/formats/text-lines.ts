import { isClock, type Moment, parseClockOn, parseMoment } from '@contextloom/retrieval/time';
import { type Conversation, type RawTurn, toSessions, toTurn } from '../transcript.ts';

const HEADER_TRIM = /^[\s#*\-–—=~>[({（【]+|[\s#*\-–—=~\])}）】:：]+$/gu;
const HEADER_LABEL = /^(?:date|日期|时间)\s*[:：]\s*/iu;
const BRACKETED = /^\s*[[(（【]\s*([^\])）】]{4,40})\s*[\])）】]\s*(?:[-–]\s*)?(.*)$/u;
const BARE_STAMP = /^\s*((?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ])?\d{1,2}:\d{2}(?::\d{2})?)\s+(?:[-–]\s*)?(.*)$/u;
const SPOKEN = /^\s*(?:\*\*|__)?([\p{L}\p{N}_@][^:：\n]{0,39}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?(.*)$/u;

/** Words that stand before a colon without being anybody's name. */
const NO_NAME =
  /^(?:notes?|p\.?s|n\.?b|todo|warning|error|https?|ftp|mailto|e\.?g|i\.?e|examples?|update|edit|tips?|hint|subject|re|fwd|total|price|address|phone|tel|e-?mail|url|link|time|step|summary|ingredients|注|注意|备注|例如|比如|譬如|提示|地址|电话|时间|日期|总结|结论|链接|网址|价格)$/iu;
/** `他说：“…”` reports speech, it does not begin a turn. */
const REPORTED = /(?:说|说道|问|问道|回答|喊|写道|叫|是|有|如下|包括)$/u;

/** Whether the words before a colon can be a speaker: one to three words, capitalised when there are several. */
function isName(text: string): boolean {
  const words = text.trim().split(/\s+/u);
  if (words.length > 3 || /[!?。！？，,;；"“”<>{}|\\/=]/u.test(text) || /^\d+$/u.test(text.trim())) return false;
  if (NO_NAME.test(text.trim())) return false;
  const isHan = /\p{Script=Han}/u.test(text);
  if (isHan) return [...text.trim()].length <= 12 && (text.trim().length === 1 || !REPORTED.test(text.trim()));
  return words.length === 1 || words.every((word) => !/^\p{Ll}/u.test(word));
}

/** The day or time that a line consists of, as in `# 2024-03-05`, `[2024-03-05 19:20]` or `2024年3月5日 星期二`. */
function readHeader(line: string): Moment | undefined {
  if (line.length > 60 || !/\d{4}/u.test(line)) return undefined;
  return parseMoment(line.replace(HEADER_TRIM, '').replace(HEADER_LABEL, '').replace(HEADER_TRIM, ''));
}

interface Spoken {
  readonly speaker: string;
  readonly text: string;
  /** A date, a time of day or nothing, as it stands before the name. */
  readonly stamp: string | undefined;
}

function readStamp(line: string): { stamp: string | undefined; rest: string } {
  const [, stamp, rest] = BRACKETED.exec(line) ?? BARE_STAMP.exec(line) ?? [];
  const isStamp = stamp !== undefined && (isClock(stamp) || parseMoment(stamp) !== undefined);
  return isStamp ? { stamp, rest: rest ?? '' } : { stamp: undefined, rest: line };
}

function readSpoken(line: string): Spoken | undefined {
  const { stamp, rest } = readStamp(line);
  const [, name, text] = SPOKEN.exec(rest) ?? [];
  if (name === undefined || text === undefined || text.startsWith('//') || !isName(name)) return undefined;
  return { speaker: name.trim(), text, stamp };
}

function toMoment(stamp: string | undefined, day: Moment | undefined): Moment | undefined {
  if (stamp === undefined) return undefined;
  const moment = parseMoment(stamp);
  if (moment !== undefined) return moment;
  return day === undefined ? undefined : parseClockOn(day, stamp);
}

/**
 * Reads `Name: words` lines (ASCII or full-width colon, with or without `[19:20]` before the name). A line that consists of
 * a date says when the turns below it were said; any other line goes on with the turn above it. Lines before the first
 * name, or a text without names, are the user's.
 * @param date when the turns above the first date were said
 */
export function readTextLines(lines: readonly string[], date?: Moment): Conversation {
  const turns: { raw: RawTurn; lines: string[] }[] = [];
  let day = date;
  let isFresh = true;
  for (const line of lines) {
    const header = readHeader(line);
    const spoken = header === undefined ? readSpoken(line) : undefined;
    if (header !== undefined) {
      day = header;
      isFresh = true;
    } else if (spoken !== undefined) {
      const at = toMoment(spoken.stamp, day) ?? day;
      day = at ?? day;
      turns.push({ raw: { speaker: spoken.speaker, text: '', at }, lines: [spoken.text] });
      isFresh = false;
    } else if (isFresh && line.trim() !== '') {
      turns.push({ raw: { text: '', at: day }, lines: [line] });
      isFresh = false;
    } else turns.at(-1)?.lines.push(line);
  }
  return {
    sessions: toSessions(
      turns.map(({ raw, lines: said }) => toTurn({ ...raw, text: said.join('\n') })),
      date,
    ),
  };
}

import { toPlainDigits } from './plain-digits.ts';
import { isName } from './speaker-name.ts';

/** A line that seems to begin a turn, with its number from 1. */
export interface ChatLine {
  readonly line: number;
  readonly text: string;
}

const HALF = String.raw`(?:凌晨|早上|上午|中午|下午|傍晚|晚上|午前|午後|오전|오후|[ap]\.?m\.?)`;
const CLOCK = String.raw`(?:${HALF}\s?)?\d{1,2}[:：.]\d{2}(?:[:：.]\d{2})?(?:\s?(?:[ap]\.?\s?m\b\.?|[صم]|[πμ]\.?μ\.?|(?:अप|पू)[\p{L}\p{M}]{1,10}|ч\.|p[gt]{1,2}))?`;
const NUMERIC_DAY = String.raw`\d{4}\.?[-/. ]\d{1,2}\.?[-/. ]\d{1,2}\.?|\d{1,2}(?:[-/]|\. ?)\d{1,2}(?:[-/]|\. ?)(?:\d{4}|\d{2})(?:\.| г\.)?|(?:\d{4}[年년]\s?)?\d{1,2}[月월]\s?\d{1,2}[日일]`;
const NAMED_DAY = String.raw`\p{L}{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}\.? \p{L}{3,9}\.?(?:,? \d{4}|(?=,? \d{1,2}:))|today|yesterday|今天|昨天`;
const DAY = `(?:${NUMERIC_DAY}|${NAMED_DAY})`;
const STAMP = String.raw`(?:(?<day>${DAY})(?:\s?(?:[,，T]|at|à|um|às|a las|kl\.?|om)?\s?(?<clock>${CLOCK}))?|(?<only>${CLOCK})(?:[,，]?\s(?<after>${DAY}))?)`;

/** `[12/05/2023, 14:03:22] …` or `12/05/23, 2:03 pm - …`; some programs put a mark of direction before it. */
const LEAD = new RegExp(
  String.raw`^[\s\u200e\u200f\u202a-\u202e]*[[(（【]?${STAMP}[\])）】]?\s*[-–—|,，]?\s*(?<rest>.*)$`,
  'iu',
);
/** `Ann, [12.05.2023 14:03]`, `Ann — Today at 2:03 PM`, `Ann  2:03 PM`. */
const TRAIL = new RegExp(String.raw`^\s*(?<name>\S.{0,59}?)[,，]?\s+(?:[-–—|•·]\s*)?[[(（]?${STAMP}[\])）]?\s*$`, 'iu');

/** After a stamp, what only a chat has: `张三(12345)` alone, `<Ann> words`, `Ann⇥words`. */
const UNMISTAKABLE = [
  /^(?<name>\S.{0,39}?)\s?[(（<]\s?[\w.@+-]{4,60}\s?[)）>]$/u,
  /^<\s?[@+~&%]?(?<name>[^>\s]{1,40})>\s/u,
  /^(?<name>[^\t]{1,60})\t/u,
  /^(?<name>[^|｜]{1,40}?)\s?[|｜]\s?\S/u,
];
const WORDED = /^(?<name>[^:：]{1,60}?)\s?[:：](?!\/\/)/u;
const PHONE = /^\+?\d[\d\s()‑-]{6,}\d$/u;
/** Marks of direction. */
const MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;
/** What lies behind these characters of a line cannot tell how it begins. */
const MAX_HEAD = 200;

/** What a line that seems to begin a turn shows of it. */
interface Head {
  readonly name: string;
  /** Whether words follow in the same line; else they stand in the next. */
  readonly hasWords: boolean;
  /** Whether one such line is enough to tell; else its name has to come again, as no heading of a timetable does. */
  readonly isClear: boolean;
}

/** Whether it can be a sender as programs show them: also a telephone number, symbols, and names such as `Ann de la Cruz`. */
export function isSender(text: string): boolean {
  const name = text
    .replace(/[^\p{L}\p{N}\p{P}\s+]/gu, '')
    .replace(/^[~@\s]+/u, '')
    .trim();
  const words = name.split(/\s+/u);
  const isLong = words.length <= 5 && [words[0], words.at(-1)].every((word = '') => /^\p{Lu}/u.test(word));
  return PHONE.test(name) || isName(name) || (isLong && !/[!?.。！？,，;；]/u.test(name));
}

function readLead(line: string): Head | undefined {
  const groups = LEAD.exec(line)?.groups;
  const rest = groups?.['rest']?.trimEnd();
  if (groups === undefined || rest === undefined) return undefined;
  const hasDay = (groups['day'] ?? groups['after']) !== undefined;
  for (const pattern of UNMISTAKABLE) {
    const name = pattern.exec(rest)?.groups?.['name'];
    if (name !== undefined) return isSender(name) ? { name, hasWords: true, isClear: true } : undefined;
  }
  const name = WORDED.exec(rest)?.groups?.['name'];
  if (name !== undefined) return isSender(name) ? { name, hasWords: true, isClear: hasDay } : undefined;
  const hasClock = (groups['clock'] ?? groups['only']) !== undefined;
  return hasClock && isSender(rest) ? { name: rest, hasWords: false, isClear: hasDay } : undefined;
}

function readTrail(line: string): Head | undefined {
  const groups = TRAIL.exec(line)?.groups;
  const name = groups?.['name'];
  if (groups === undefined || name === undefined || !isSender(name)) return undefined;
  const hasClock = (groups['clock'] ?? groups['only']) !== undefined;
  return hasClock ? { name, hasWords: false, isClear: (groups['day'] ?? groups['after']) !== undefined } : undefined;
}

function readHead(line: string): Head | undefined {
  const start = toPlainDigits(line.slice(0, MAX_HEAD).replace(MARKS, ''));
  if (!/\d/u.test(start)) return undefined;
  return readLead(start) ?? (line.length < MAX_HEAD ? readTrail(line) : undefined);
}

/** The word after a day and a time of the clock, when more follow: `2024-03-01 10:20:31 小明 你好`. */
const STAMPED = /^\s*\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?\s\d{1,2}:\d{2}(?::\d{2})?\s+(?<name>\S{1,20})\s\S/u;

/** Lines whose first words after a time come again and again, as names do and beginnings of sentences do not. */
function findNamedStamps(lines: readonly string[]): readonly ChatLine[] {
  const found = lines.flatMap((text, at) => {
    const name = text.length > MAX_HEAD ? undefined : STAMPED.exec(text)?.groups?.['name'];
    return name === undefined || !isName(name) || /^\p{Ll}/u.test(name) ? [] : [{ line: at + 1, text, name }];
  });
  const names = new Set(found.map(({ name }) => name));
  return names.size >= 2 && 2 * names.size < found.length ? found : [];
}

/**
 * Finds out whether lines are a chat as some program exports it: a time next to a name, again and again, in lines that
 * are not read as turns.
 * @param isRead whether a line is read as a turn or as a date
 * @returns the first two such lines; undefined when the lines that are read are most of those that begin a turn
 */
export function findUnknownChat(
  lines: readonly string[],
  isRead: (line: string) => boolean,
): readonly ChatLine[] | undefined {
  let turnsRead = 0;
  const heads = lines.map((line) => {
    if (!isRead(line)) return readHead(line);
    turnsRead += 1;
    return undefined;
  });
  const names = new Map<string, number>();
  for (const head of heads) if (head !== undefined) names.set(head.name, (names.get(head.name) ?? 0) + 1);
  const isFollowed = (at: number): boolean => (lines[at + 1] ?? '').trim() !== '' && heads[at + 1] === undefined;
  const found = lines.flatMap((text, at) => {
    const head = heads[at];
    if (head === undefined || !(head.hasWords || isFollowed(at))) return [];
    return head.isClear || (names.get(head.name) ?? 0) > 1 ? [{ line: at + 1, text }] : [];
  });
  const stamped = findNamedStamps(lines);
  if (stamped.length > found.length && stamped.length > turnsRead) return stamped.slice(0, 2);
  return found.length >= 2 && 2 * found.length > turnsRead ? found.slice(0, 2) : undefined;
}

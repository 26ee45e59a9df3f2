import type { Moment } from '@contextloom/retrieval/time';
import { createHeadedLineSink, type HeadedLine } from '../headed-lines.ts';
import type { Reader } from '../reader.ts';
import { isSender } from '../unknown-chat.ts';
import { toHour, toWall } from '../wall-time.ts';
import { toChineseWords } from './chinese-words.ts';

const HALF = String.raw`(?:(?<half>凌晨|早上|上午|中午|下午|傍晚|晚上|AM|PM)\s?)?`;
const CLOCK = String.raw`${HALF}(?<hour>\d{1,2})[:：](?<minute>\d{2})(?:[:：](?<second>\d{2}))?(?:\s?(?<ap>AM|PM))?`;
const DAY = String.raw`(?<year>\d{4,5}|\d{2})(?<mark>[-/.]|年)(?<month>\d{1,2})(?:[-/.]|月)(?<day>\d{1,2})日?(?:\s?(?:星期|周)[一二三四五六日天])?`;
/** chatlog shows a day without a year where it was asked about one day. */
const YEARLESS = String.raw`(?<month>\d{1,2})(?<mark>[-/]|月)(?<day>\d{1,2})日?`;
const NAME = String.raw`(?<name>\S(?:.{0,78}\S)?)`;
const ID = String.raw`(?:\s?(?:[(（](?<id>[\w.@-]{4,64}|我)[)）]|<(?<mail>[^<>\s]{3,64})>))`;

/** How heads look: where the name stands, and what follows it. */
const FORMS = {
  /** `2024-03-01 10:20:31 名字`; of QQ with `(123456)` or `<name@mail>`. */
  timeFirst: new RegExp(String.raw`^${DAY}\s+${CLOCK}\s+${NAME}$`, 'iu'),
  /** `名字 2024/3/1 10:20`. */
  nameFirst: new RegExp(String.raw`^${NAME}\s+${DAY}\s*${CLOCK}$`, 'iu'),
  /** `名字(2024-03-01 10:20:31): 内容`. */
  inBrackets: new RegExp(String.raw`^${NAME}\s?[(（[【]${DAY}\s+${CLOCK}[)）\]】]\s?(?:[:：]\s?(?<rest>.*))?$`, 'iu'),
  /** `[2024-03-01 10:20:31] 名字`, `[2024-03-01 10:20:31] 名字: 内容`. */
  timeInBrackets: new RegExp(
    String.raw`^[[【]${DAY}\s+${CLOCK}[\]】]\s?(?<name>[^:：]{1,60})(?:[:：]\s?(?<rest>.*))?$`,
    'iu',
  ),
  /** `名字(wxid_1) 03-01 10:20:31`, `名字 3月1日 10:20`. */
  yearless: new RegExp(String.raw`^${NAME}\s+${YEARLESS}\s*${CLOCK}$`, 'iu'),
  /** `03-01 10:20:31 名字`, `3月1日 10:20 名字`. */
  yearlessFirst: new RegExp(String.raw`^${YEARLESS}\s*${CLOCK}\s+${NAME}$`, 'iu'),
  /** `名字  10:20` under `—————  2024-03-01  —————`. */
  underDay: new RegExp(String.raw`^${NAME}\s{2,}${CLOCK}$`, 'iu'),
} as const;
type Form = keyof typeof FORMS;

const DAY_LINE = new RegExp(String.raw`^[\s—–\-=─]+${DAY}[\s—–\-=─]+$`, 'iu');
const MAX_HEAD = 160;

type Groups = Readonly<Record<string, string | undefined>>;

/** What tells the heads of one export from what somebody pasted into it. */
export interface HeadStyle {
  readonly form: Form;
  readonly mark: string | undefined;
  readonly hasSeconds: boolean;
  /** Whether an empty line stands above every head. */
  readonly isSpaced: boolean;
  /** Whether names come with an id, as in QQ. */
  readonly hasIds: boolean;
}

function execute(form: Form, line: string): Groups | undefined {
  if (!/\d/u.test(line.slice(0, MAX_HEAD))) return undefined;
  if (line.length > MAX_HEAD && form !== 'inBrackets' && form !== 'timeInBrackets') return undefined;
  // `【名字】2024-03-01 10:20:31`
  const head = line.slice(0, MAX_HEAD).replace(/^(【[^【】]{1,40}】)(?=\d{4})/u, '$1 ');
  const groups = FORMS[form].exec(head)?.groups;
  if (groups === undefined || !isClear(form, groups)) return undefined;
  return line.length <= MAX_HEAD ? groups : { ...groups, rest: `${groups['rest'] ?? ''}${line.slice(MAX_HEAD)}` };
}

/** Days of two or no digits of a year stand in other texts as well: something else has to show that it is a chat. */
function isClear(form: Form, groups: Groups): boolean {
  if (form === 'yearless' || form === 'yearlessFirst') return groups['mark'] === '月' || groups['second'] !== undefined;
  return groups['year']?.length !== 2 || /\p{Script=Han}/u.test(groups['name'] ?? '');
}

function splitId(head: string): { name: string; id: string | undefined } {
  // chatlog shows the group after the name: `名字(wxid_1) [群(2@chatroom)]`.
  const name = head.replace(/(?<=\))\s\[[^[\]]{1,120}\]$/u, '');
  const groups = new RegExp(`^(?<name>.*?)${ID}$`, 'u').exec(name)?.groups;
  if (groups === undefined) return { name: name.trim(), id: undefined };
  return { name: (groups['name'] ?? '').trim(), id: groups['id'] ?? groups['mail'] };
}

function styleOf(groups: Groups, form: Form): string {
  return `${form} ${groups['mark']} ${groups['second'] !== undefined}`;
}

/** Looks at the beginning of a text for the heads that it has, and how they look; undefined when it is no such chat. */
export function findHeadStyle(lines: readonly string[]): HeadStyle | undefined {
  const counts = new Map<
    string,
    { form: Form; groups: Groups; count: number; spaced: number; ids: number; first: number }
  >();
  const hasDays = lines.some((line) => line.length < 80 && DAY_LINE.test(line));
  lines.forEach((line, at) => {
    for (const form of Object.keys(FORMS) as Form[]) {
      if (form === 'underDay' && !hasDays) continue;
      const groups = execute(form, line);
      const hasId = splitId(groups?.['name'] ?? '').id !== undefined;
      const isFollowed = groups?.['rest'] !== undefined || isWords(lines, at, hasId);
      if (groups === undefined || !isFollowed) continue;
      const key = styleOf(groups, form);
      const known = counts.get(key) ?? { form, groups, count: 0, spaced: 0, ids: 0, first: at };
      known.count += 1;
      if (at === 0 || (lines[at - 1] ?? '').trim() === '') known.spaced += 1;
      if (splitId(groups['name'] ?? '').id !== undefined) known.ids += 1;
      counts.set(key, known);
      break;
    }
  });
  const [best] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (best === undefined || best.count < (hasDays ? 1 : 2))
    return best === undefined ? undefined : toLoneStyle(best, lines);
  const { form, groups, count, spaced, ids } = best;
  return {
    ...{ form, mark: groups['mark'], hasSeconds: groups['second'] !== undefined },
    ...{
      isSpaced: count > 1 && (spaced === count || (count >= 10 && spaced >= 0.9 * count)),
      hasIds: ids > 0 && 2 * ids >= count,
    },
  };
}

/** One message alone is a chat when it begins the text, tells a day and seconds, and has a name that can be somebody's. */
function toLoneStyle(
  { form, groups, first }: { form: Form; groups: Groups; first: number },
  lines: readonly string[],
): HeadStyle | undefined {
  const hasSeconds = groups['second'] !== undefined;
  const isFirst = lines.slice(0, first).every((line) => line.trim() === '');
  const { name, id } = splitId(groups['name'] ?? '');
  if (!isFirst || !isSender(name) || !(hasSeconds || form === 'nameFirst')) return undefined;
  return { form, mark: groups['mark'], hasSeconds, isSpaced: false, hasIds: id !== undefined };
}

/** Whether words follow a head: in the line below, or after one empty line. */
function isWords(lines: readonly string[], at: number, hasId: boolean): boolean {
  const next = (lines[at + 1] ?? '').trim() === '' ? lines[at + 2] : lines[at + 1];
  const isHead = (Object.keys(FORMS) as Form[]).some((form) => {
    const groups = execute(form, next ?? '');
    // Where heads have ids, a line without one is what somebody wrote.
    return groups !== undefined && !(hasId && splitId(groups['name'] ?? '').id === undefined);
  });
  return (next ?? '').trim() !== '' && !isHead;
}

const SYSTEM_NAME = /^(?:系统消息|系统提示|系统|微信团队|system|10000|1000000)$/iu;

/** What chatlog shows for somebody whose name it does not know. */
const ACCOUNT = /^(?:wxid_|gh_)\w{1,60}$/u;

/**
 * Reads heads of one style; what looks like another style's head is what somebody said.
 * @param date when the chat took place: a day without a year is of that year, and where months go back the next year begins
 */
export function createHeadReader(style: HeadStyle, date?: Moment): (line: string) => HeadedLine | undefined {
  let isAfterBlank = true;
  let day: Groups | undefined;
  const toYear = createYears(date);
  return (line) => {
    const isSpaced = isAfterBlank || !style.isSpaced;
    isAfterBlank = line.trim() === '';
    const dayGroups = line.length < 80 ? DAY_LINE.exec(line)?.groups : undefined;
    if (dayGroups !== undefined && style.form === 'underDay') {
      day = dayGroups;
      return { kind: 'left out', what: 'line with a date' };
    }
    const groups = isSpaced ? execute(style.form, line) : undefined;
    if (groups === undefined) return undefined;
    const isOther = style.form !== 'underDay' && groups['mark'] !== style.mark;
    if (isOther || (groups['second'] !== undefined) !== style.hasSeconds) return undefined;
    const { name, id } = splitId(groups['name'] ?? '');
    if (style.hasIds && id === undefined && !SYSTEM_NAME.test(name) && !ACCOUNT.test(name)) return undefined;
    if (style.form === 'underDay') return toHead({ ...day, ...withoutDay(groups) });
    const isYearless = style.form === 'yearless' || style.form === 'yearlessFirst';
    return toHead(isYearless ? { ...groups, year: toYear(Number(groups['month'])) } : groups);
  };
}

/** Tells the year of days that have none, one after the other; undefined as long as nothing tells it. */
function createYears(date: Moment | undefined): (month: number) => string | undefined {
  let year = date === undefined ? undefined : Number(date.slice(0, 4));
  let last = 0;
  return (month) => {
    if (year !== undefined && month < last) year += 1;
    last = month;
    return year === undefined ? undefined : String(year);
  };
}

function withoutDay({ year: _year, month: _month, day: _day, ...rest }: Groups): Groups {
  return rest;
}

function toHead(groups: Groups): HeadedLine {
  const { name, id } = splitId(groups['name'] ?? '');
  if (SYSTEM_NAME.test(name) || SYSTEM_NAME.test(id ?? '')) return { kind: 'left out', what: 'system message' };
  const hour = toHour(Number(groups['hour']), groups['half'] ?? groups['ap']);
  const time = { hour, minute: Number(groups['minute']), second: Number(groups['second'] ?? 0) };
  const year = groups['year'];
  const wall = toWall({
    year: Number(year?.length === 2 ? `20${year}` : (year ?? 2000)),
    month: Number(groups['month']),
    day: Number(groups['day']),
    ...time,
  });
  if (wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
  const role = id === '我' || name === '我' ? 'user' : 'participant';
  // Titles of a QQ group stand before the name.
  const speaker = name
    .replace(/^[【〖][^】〗]{1,20}[】〗]\s?(?=.)/u, '')
    .replace(/[:：]$/u, '')
    .replace(/^【([^【】]+)】$/u, '$1');
  return {
    kind: 'head',
    turn: { speaker: speaker === '' ? (id ?? '') : speaker, role, ...(year !== undefined && { wall }) },
    text: groups['rest'] ?? '',
  };
}

const NO_YEAR = 'its days have no year, so its turns are undated: give --date';

/** WeChat as text, in the forms of its own mails and of the usual exporters. */
export const wechatText: Reader = {
  name: 'wechat',
  title: 'WeChat chat (text)',
  detect: ({ lines }) => findHeadStyle(lines) !== undefined,
  read: (out, { sample, date }) => {
    const style = findHeadStyle(sample.lines);
    if (date === undefined && style?.form.startsWith('yearless') === true) out.note(NO_YEAR);
    const readLine = style === undefined ? () => undefined : createHeadReader(style, date);
    return createHeadedLineSink({ readLine, toWords: toChineseWords }, out);
  },
};

import type { Moment } from '@contextloom/retrieval/time';
import type { Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { isSender } from '../text/unknown-chat.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import { toChineseWords } from './chinese-words.ts';
import { DAY_LINE, execute, FORMS, type Form, type Groups, splitId, toHeadText } from './head-forms.ts';

type Known = {
  form: Form;
  groups: Groups;
  count: number;
  spaced: number;
  ids: number;
  first: number;
  names: Set<string>;
};

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

const ALL_FORMS = Object.keys(FORMS) as Form[];

function styleOf(groups: Groups, form: Form): string {
  return `${form} ${groups['mark']} ${groups['second'] !== undefined}`;
}

/** Looks at the beginning of a text for the heads that it has, and how they look; undefined when it is no such chat. */
export function findHeadStyle(lines: readonly string[]): HeadStyle | undefined {
  const counts = new Map<string, Known>();
  const hasDays = lines.some((line) => line.length < 80 && DAY_LINE.test(line));
  lines.forEach((line, at) => {
    const head = toHeadText(line);
    if (head === undefined) return;
    for (const form of ALL_FORMS) {
      if (form.startsWith('underDay') && !hasDays) continue;
      const groups = execute(form, line, head);
      if (groups === undefined) continue;
      const hasId = splitId(groups['name'] ?? '').id !== undefined;
      if (groups['rest'] === undefined && !isWords(lines, at, { form, hasId })) continue;
      const key = styleOf(groups, form);
      const known = counts.get(key) ?? { form, groups, count: 0, spaced: 0, ids: 0, first: at, names: new Set() };
      known.count += 1;
      known.names.add(groups['name'] ?? '');
      if (at === 0 || (lines[at - 1] ?? '').trim() === '') known.spaced += 1;
      if (splitId(groups['name'] ?? '').id !== undefined) known.ids += 1;
      counts.set(key, known);
      break;
    }
  });
  const hasHeadings = lines.some((line) => /^#{1,6}\s/u.test(line));
  const [best] = [...counts.values()]
    // `see you at 10:30` in notes is no name with a clock.
    .filter((known) => isChat(known, lines) && !(hasHeadings && known.form === 'clockOnly'))
    .sort((a, b) => b.count - a.count);
  if (best === undefined || best.count < (hasDays ? 1 : 2))
    return best === undefined ? undefined : toLoneStyle(best, lines);
  const { form, groups, count, spaced, ids } = best;
  return {
    form,
    mark: groups['mark'],
    hasSeconds: groups['second'] !== undefined,
    isSpaced: count > 1 && (spaced === count || (count >= 10 && spaced >= 0.9 * count)),
    hasIds: ids > 0 && 2 * ids >= count,
  };
}

/** Words before a clock alone are names when ids stand with them, or when the text begins with them and they come again. */
const isChat = ({ form, count, ids, names, first }: Known, lines: readonly string[]): boolean =>
  form !== 'clockOnly' || ids === count || (beginsAt(lines, first) && count >= 3 && names.size < count);

const beginsAt = (lines: readonly string[], at: number): boolean =>
  lines.slice(0, at).every((line) => line.trim() === '');

/** One message alone is a chat when it begins the text, tells a day and seconds, and has a name that can be somebody's. */
function toLoneStyle(
  { form, groups, first }: { form: Form; groups: Groups; first: number },
  lines: readonly string[],
): HeadStyle | undefined {
  const hasSeconds = groups['second'] !== undefined;
  const isFirst = beginsAt(lines, first);
  const { name, id } = splitId(groups['name'] ?? '');
  if (!isFirst || form === 'clockOnly' || !isSender(name) || !(hasSeconds || form === 'nameFirst')) return undefined;
  return { form, mark: groups['mark'], hasSeconds, isSpaced: false, hasIds: id !== undefined };
}

/** Whether words follow a head: in the line below, or after one empty line. */
function isWords(lines: readonly string[], at: number, { form, hasId }: { form: Form; hasId: boolean }): boolean {
  const next = (lines[at + 1] ?? '').trim() === '' ? lines[at + 2] : lines[at + 1];
  const head = toHeadText(next ?? '');
  if (head === undefined) return (next ?? '').trim() !== '';
  const isHead = ALL_FORMS.some((other) => {
    // `明天 10:30` are words in chats whose heads tell a day.
    if (other !== form && (other === 'clockOnly' || other.startsWith('underDay'))) return false;
    const groups = execute(other, next ?? '', head);
    // Where heads have ids, a line without one is what somebody wrote.
    return groups !== undefined && !(hasId && splitId(groups['name'] ?? '').id === undefined);
  });
  return (next ?? '').trim() !== '' && !isHead;
}

/** The kind of message that is words, in WeChat's database. */
const WORDS_KIND = '1';
const SYSTEM_NAME = /^(?:系统消息|系统提示|系统|微信团队|system|10000|1000000)$/u;

/** Who has an id of a person is one, whatever the name. */
const isSystem = (name: string, id: string | undefined): boolean => SYSTEM_NAME.test(id ?? name);

/** What stands between a name and a clock in place of a day. */
const DAY_WORD = /\s(?:今天|昨天|前天|星期[一二三四五六日天])$/u;

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
    if (dayGroups !== undefined && style.form.startsWith('underDay')) {
      day = dayGroups['year'] === undefined ? toFirst(dayGroups) : dayGroups;
      return { kind: 'left out', what: 'line with a date' };
    }
    const groups = isSpaced ? execute(style.form, line) : undefined;
    if (groups === undefined) return undefined;
    const isOther = !style.form.startsWith('underDay') && groups['mark'] !== style.mark;
    if (isOther || (groups['second'] !== undefined) !== style.hasSeconds) return undefined;
    const { name, id } = splitId(groups['name'] ?? '');
    if (style.hasIds && id === undefined && !SYSTEM_NAME.test(name) && !ACCOUNT.test(name)) return undefined;
    if (style.form.startsWith('underDay')) return toHead({ ...day, ...withoutDay(groups) });
    if (style.form === 'clockOnly')
      return toHead({ ...groups, name: groups['name']?.replace(DAY_WORD, ''), month: '1', day: '1' });
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

/** The day of `日期: 2024-03-01`. */
function toFirst({ yearAgain: year, monthAgain: month, dayAgain: day }: Groups): Groups {
  return { year, month, day };
}

function withoutDay({ year: _year, month: _month, day: _day, ...rest }: Groups): Groups {
  return rest;
}

function toHead(groups: Groups): HeadedLine {
  const { name, id } = splitId(groups['name'] ?? '');
  if (isSystem(name, id)) return { kind: 'left out', what: 'system message' };
  const kind = groups['kind'];
  if (kind !== undefined && kind !== WORDS_KIND) return { kind: 'left out', what: 'media or system message' };
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
  const isMine = id === '我' || name === '我' || (kind !== undefined && name === 'me');
  const role = isMine ? 'user' : 'participant';
  // Titles of a QQ group stand before the name.
  const speaker = name
    .replace(/^[【〖][^】〗]{1,20}[】〗]\s?(?=.)/u, '')
    .replace(/[:：]$/u, '')
    .replace(/^(?:【([^【】]+)】|<([^<>]+)>)$/u, '$1$2');
  return {
    kind: 'head',
    turn: { speaker: speaker === '' ? (id ?? '') : speaker, role, ...(year !== undefined && { wall }) },
    text: groups['rest'] ?? '',
  };
}

const NO_DAY = 'its heads tell the time and no day, so its turns are undated';
const NO_YEAR = 'its days have no year, so its turns are undated: give --date';

/** WeChat as text, in the forms of its own mails and of the usual exporters. */
export const wechatText: Reader = {
  name: 'wechat',
  title: 'WeChat chat (text)',
  detect: ({ lines }) => findHeadStyle(lines) !== undefined,
  read: (out, { sample, date }) => {
    const style = findHeadStyle(sample.lines);
    if (date === undefined && style?.form.startsWith('yearless') === true) out.note(NO_YEAR);
    if (style?.form === 'clockOnly') out.note(NO_DAY);
    const readLine = style === undefined ? () => undefined : createHeadReader(style, date);
    return createHeadedLineSink({ readLine, toWords: toChineseWords }, out);
  },
};

import { createHeadedLineSink, type HeadedLine } from '../headed-lines.ts';
import type { Reader } from '../reader.ts';
import { isSender } from '../unknown-chat.ts';
import { toHour, toWall } from '../wall-time.ts';

const HALF = String.raw`(?:(?<half>凌晨|早上|上午|中午|下午|傍晚|晚上|AM|PM)\s?)?`;
const CLOCK = String.raw`${HALF}(?<hour>\d{1,2})[:：](?<minute>\d{2})(?:[:：](?<second>\d{2}))?(?:\s?(?<ap>AM|PM))?`;
const DAY = String.raw`(?<year>\d{4,5})(?<mark>[-/.]|年)(?<month>\d{1,2})(?:[-/.]|月)(?<day>\d{1,2})日?(?:\s?(?:星期|周)[一二三四五六日天])?`;
const NAME = String.raw`(?<name>\S(?:.{0,78}\S)?)`;
const ID = String.raw`(?:\s?(?:[(（](?<id>[\w.@-]{4,64})[)）]|<(?<mail>[^<>\s]{3,64})>))`;

/** How heads look: where the name stands, and what follows it. */
const FORMS = {
  /** `2024-03-01 10:20:31 名字`; of QQ with `(123456)` or `<name@mail>`. */
  timeFirst: new RegExp(String.raw`^${DAY}\s+${CLOCK}\s+${NAME}$`, 'iu'),
  /** `名字 2024/3/1 10:20`. */
  nameFirst: new RegExp(String.raw`^${NAME}\s+${DAY}\s*${CLOCK}$`, 'iu'),
  /** `名字(2024-03-01 10:20:31): 内容`. */
  inBrackets: new RegExp(String.raw`^${NAME}\s?[(（]${DAY}\s+${CLOCK}[)）]\s?(?:[:：]\s?(?<rest>.*))?$`, 'iu'),
  /** `[2024-03-01 10:20:31] 名字`, `[2024-03-01 10:20:31] 名字: 内容`. */
  timeInBrackets: new RegExp(
    String.raw`^[[【]${DAY}\s+${CLOCK}[\]】]\s?(?<name>[^:：]{1,60})(?:[:：]\s?(?<rest>.*))?$`,
    'iu',
  ),
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
  if (line.length > MAX_HEAD && (form === 'timeFirst' || form === 'nameFirst' || form === 'underDay')) return undefined;
  const groups = FORMS[form].exec(line.slice(0, MAX_HEAD))?.groups;
  if (groups === undefined) return undefined;
  return line.length <= MAX_HEAD ? groups : { ...groups, rest: `${groups['rest'] ?? ''}${line.slice(MAX_HEAD)}` };
}

function splitId(name: string): { name: string; id: string | undefined } {
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
const MEDIA =
  /^\s*[[【<](?:图片|照片|语音(?:通话|消息)?|视频(?:通话)?|动画表情|表情|表情包|位置|文件|链接|名片|红包|转账|小程序|聊天记录|音乐|image|photo|voice|video|sticker|emoji|file|location|link)[^\]】>]{0,80}[\]】>]\s*$/iu;
const NOTICE =
  /^(?:.{0,40}撤回了一条消息.{0,20}|.{0,40}拍了拍.{0,40}|.{0,60}(?:加入了?群聊|退出了?群聊|移出了?群聊|邀请.{1,40}加入).{0,20}|以上是打招呼的内容|你已添加了.{1,60}|.{0,40}(?:recalled a message|已成为好友).{0,20})$/u;

/** The words of a message of WeChat or QQ; pictures, voices and notices of the program have none. */
export function toChineseWords(text: string) {
  if (text === '') return { leftOut: 'empty message' };
  if (MEDIA.test(text)) return { leftOut: 'media' };
  return NOTICE.test(text) ? { leftOut: 'system message' } : { text };
}

/** Reads heads of one style; what looks like another style's head is what somebody said. */
export function createHeadReader(style: HeadStyle): (line: string) => HeadedLine | undefined {
  let isAfterBlank = true;
  let day: Groups | undefined;
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
    if (style.hasIds && id === undefined && !SYSTEM_NAME.test(name)) return undefined;
    return toHead(style.form === 'underDay' ? { ...day, ...withoutDay(groups) } : groups);
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
  const wall = toWall({
    year: Number(groups['year']),
    month: Number(groups['month']),
    day: Number(groups['day']),
    ...time,
  });
  if (wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
  // Titles of a QQ group stand before the name.
  const speaker = name.replace(/^[【〖][^】〗]{1,20}[】〗]\s?(?=.)/u, '').replace(/[:：]$/u, '');
  return {
    kind: 'head',
    turn: { speaker: speaker === '' ? (id ?? '') : speaker, role: 'participant', wall },
    text: groups['rest'] ?? '',
  };
}

/** WeChat as text, in the forms of its own mails and of the usual exporters. */
export const wechatText: Reader = {
  name: 'wechat',
  title: 'WeChat chat (text)',
  detect: ({ lines }) => findHeadStyle(lines) !== undefined,
  read: (out, { sample }) => {
    const style = findHeadStyle(sample.lines);
    const readLine = style === undefined ? () => undefined : createHeadReader(style);
    return createHeadedLineSink({ readLine, toWords: toChineseWords }, out);
  },
};

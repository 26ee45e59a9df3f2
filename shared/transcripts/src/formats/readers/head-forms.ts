// Heads of turns in texts of WeChat, QQ and programs like them.
const HALF = String.raw`(?:(?<half>凌晨|早上|上午|中午|下午|傍晚|晚上|AM|PM)\s?)?`;
const CLOCK = String.raw`${HALF}(?<hour>\d{1,2})[:：](?<minute>\d{2})(?:[:：](?<second>\d{2}))?(?:\s?(?<ap>AM|PM))?`;
const DAY = String.raw`(?<year>\d{4,5}|\d{2})(?<mark>[-/.]|年)(?<month>\d{1,2})(?:[-/.]|月)(?<day>\d{1,2})日?(?:\s?(?:星期|周)[一二三四五六日天])?`;
/** chatlog shows a day without a year where it was asked about one day. */
const YEARLESS = String.raw`(?<month>\d{1,2})(?<mark>[-/]|月)(?<day>\d{1,2})日?`;
const DAY_AGAIN = DAY.replaceAll(/\?<(\w+)>/gu, '?<$1Again>');
const COLUMN = String.raw`(?:\t|\s?[|｜]\s?)`;
const NAME = String.raw`(?<name>\S(?:.{0,78}\S)?)`;
const ID = String.raw`(?:\s?(?:[(（](?<id>[\w.@-]{4,64}|我)[)）]|<(?<mail>[^<>\s]{3,64})>))`;

/** How heads look: where the name stands, and what follows it; the first that fits is taken. */
export const FORMS = {
  /** `2024-03-01 10:20:31 名字`; of QQ with `(123456)` or `<name@mail>`. */
  timeFirst: new RegExp(String.raw`^${DAY}\s+${CLOCK}\s+${NAME}$`, 'iu'),
  /** `名字 2024/3/1 10:20`. */
  nameFirst: new RegExp(String.raw`^${NAME}\s+${DAY}\s*${CLOCK}[:：]?$`, 'iu'),
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
  /** `10:20:31 名字(123456)` under `日期: 2024-03-01`. */
  underDayFirst: new RegExp(String.raw`^${CLOCK}\s+${NAME}$`, 'iu'),
  /** `2024-03-01 10:20:31⇥名字⇥内容`, `2024-03-01 10:20:31 | 名字 | 内容`. */
  inColumns: new RegExp(String.raw`^${DAY}\s+${CLOCK}${COLUMN}(?<name>[^\t|｜]{1,60})${COLUMN}(?<rest>.*)$`, 'iu'),
  /** `名字⇥2024-03-01 10:20:31⇥内容`. */
  nameInColumn: new RegExp(String.raw`^(?<name>[^\t|｜]{1,60})${COLUMN}${DAY}\s+${CLOCK}${COLUMN}(?<rest>.*)$`, 'iu'),
  /** `1|名字:2024-03-01 10:20:31:内容` of wechat-dump, whose number is the kind of a message. */
  inDump: new RegExp(String.raw`^(?:(?<kind>-?\d{1,12})\|)(?<name>[^:|]{1,60}):${DAY}\s${CLOCK}:(?<rest>.*)$`, 'iu'),
  /** `名字 14:20`, `名字 昨天 14:20`, `名字(123456) 10:20:31`, as copies of an open chat have them: the day is not given. */
  clockOnly: new RegExp(String.raw`^${NAME}\s+(?:(?:今天|昨天|前天|星期[一二三四五六日天])\s?)?${CLOCK}$`, 'iu'),
} as const;
export type Form = keyof typeof FORMS;

/** `—————  2024-03-01  —————`, `日期: 2024-03-01`. */
export const DAY_LINE = new RegExp(String.raw`^(?:[\s—–\-=─]+${DAY}[\s—–\-=─]+|日期\s?[:：]\s?${DAY_AGAIN})$`, 'iu');
/** Forms in which the words stand in the line of the head. */
const ONE_LINE: readonly Form[] = ['inBrackets', 'timeInBrackets', 'inColumns', 'nameInColumn', 'inDump'];
const MAX_HEAD = 160;

export type Groups = Readonly<Record<string, string | undefined>>;

/** `**名字** 2024-03-01 10:20:31`: a name in bold, which is nobody's of a chat with an assistant. */
const BOLD =
  /^\*\*(?!(?:用户|助手|我的?助手|AI)\*)([^*]{0,60}\p{Script=Han}[^*]{0,60})\*\*\s+`?(?=\d{4})([^`]{1,40})`?$/u;

/** The beginning of a line as forms expect it; undefined when it can be no head. One line is looked at in all forms. */
export function toHeadText(line: string): string | undefined {
  const start = line.slice(0, MAX_HEAD);
  if (!/\d{1,2}[:：]\d{2}/u.test(start)) return undefined;
  // `【名字】2024-03-01 10:20:31`, and `(2004-03-01 10:20:31)   名字` of old versions of QQ
  return start
    .replace(/^(【[^【】]{1,40}】)(?=\d{4})/u, '$1 ')
    .replace(BOLD, '$1 $2')
    .replace(/^[(（](\d{4}[-/.]\d{1,2}[-/.]\d{1,2} \d{1,2}:\d{2}(?::\d{2})?)[)）](?=\s)/u, '$1');
}

/** Reads a line as a head of a form; undefined when it is none. */
export function execute(form: Form, line: string, head = toHeadText(line)): Groups | undefined {
  if (head === undefined || (line.length > MAX_HEAD && !ONE_LINE.includes(form))) return undefined;
  const groups = FORMS[form].exec(head)?.groups;
  if (groups === undefined || !isClear(form, groups)) return undefined;
  return line.length <= MAX_HEAD ? groups : { ...groups, rest: `${groups['rest'] ?? ''}${line.slice(MAX_HEAD)}` };
}

/** Days of two or no digits of a year stand in other texts as well: something else has to show that it is a chat. */
function isClear(form: Form, groups: Groups): boolean {
  // `## 2024-03-01 10:20` is a heading of notes.
  if (/^[\s#*>=+_.|~-]+$/u.test(groups['name'] ?? '')) return false;
  // `**Human** (2024-03-01 10:20:31)` is of a chat with an assistant.
  if (/^(?:#{1,6}\s|\*\*.*\*\*$)/u.test(groups['name'] ?? '')) return false;
  if (form === 'yearless' || form === 'yearlessFirst') return groups['mark'] === '月' || groups['second'] !== undefined;
  if (form === 'clockOnly') return isChineseName(groups['name'] ?? '') && groups['ap'] === undefined;
  return groups['year']?.length !== 2 || /\p{Script=Han}/u.test(groups['name'] ?? '');
}

/** `3月5日` is a day. */
const isChineseName = (name: string): boolean =>
  /\p{Script=Han}/u.test(name) && !/^(?:\d{2,4}年)?\d{1,2}月\d{1,2}[日号]$/u.test(name);

const WITH_ID = new RegExp(`^(?<name>.*?)${ID}$`, 'u');

/** A name and the id that stands with it. */
export function splitId(head: string): { name: string; id: string | undefined } {
  // chatlog shows the group after the name, `名字(wxid_1) [群(2@chatroom)]`; WeFlow writes `'名字'`.
  const name = head.replace(/(?<=\))\s\[[^[\]]{1,120}\]$/u, '').replace(/^'(.+)'$/u, '$1');
  const groups = WITH_ID.exec(name)?.groups;
  if (groups === undefined) return { name: name.trim(), id: undefined };
  return { name: (groups['name'] ?? '').trim(), id: groups['id'] ?? groups['mail'] };
}

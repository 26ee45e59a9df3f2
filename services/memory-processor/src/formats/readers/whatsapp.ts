import { createHeadedLineSink, type HeadedLine } from '../headed-lines.ts';
import { createLineSink } from '../line-sink.ts';
import type { DayOrder, Reader, ReaderOptions, Survey } from '../reader.ts';
import { toHour, toWall } from '../wall-time.ts';

const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const HALF = '(?<half>凌晨|早上|上午|中午|下午|傍晚|晚上|오전|오후|午前|午後)?';
const CLOCK = String.raw`${HALF}\s?(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2}))?(?:\s?(?:(?<ap>[ap])\.?\s?m\.?|(?<arabic>[صم])))?`;
const DAY = String.raw`(?<a>\d{1,5})(?<mark>[./-])(?<b>\d{1,2})\k<mark>(?<c>\d{1,5})`;
/** What languages write between a day and a time. */
const BETWEEN = String.raw`(?:[,،]|\s(?:à|um|at|às|a las|kl\.?|klo|om|г\.,?))?\s`;
/** `[12/05/2023, 14:03:22] …` of iOS and `12/05/23, 2:03 pm - …` of Android. */
const HEADS = [
  new RegExp(String.raw`^\[${DAY}${BETWEEN}${CLOCK}\]\s(?<rest>.*)$`, 'iu'),
  new RegExp(String.raw`^${DAY}${BETWEEN}${CLOCK}\s[-–]\s(?<rest>.*)$`, 'iu'),
  // Older versions of iOS.
  new RegExp(String.raw`^${DAY}${BETWEEN}${CLOCK}:\s(?<rest>.*)$`, 'iu'),
];
const MAX_HEAD = 400;

type Groups = Readonly<Record<string, string | undefined>>;

/** A stamp longer than this is none, in characters. */
const MAX_STAMP = 48;
const ARABIC_ZERO = [0x0660, 0x06f0];

/** The stamp of a line with digits as in English, and days of Korean, Japanese and Chinese with points of their own. */
function toPlainStamp(line: string): string {
  const start = line.slice(0, MAX_STAMP).replace(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ARABIC_ZERO.findLast((zero) => zero <= code) ?? code));
  });
  return `${start
    .replace(/^(\[?)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]\s?/u, '$1$2/$3/$4 ')
    .replace(/^(\[?)(\d{4})\. (\d{1,2})\. (\d{1,2})\./u, '$1$2.$3.$4')}${line.slice(MAX_STAMP)}`;
}

function readGroups(line: string): Groups | undefined {
  if (!/^[[\u200e\u200f\u202a-\u202e\ufeff\p{Nd}]/u.test(line)) return undefined;
  const start = line.slice(0, MAX_HEAD);
  const clean = toPlainStamp(start.replace(/^[\u200e\u200f\u202a-\u202e\ufeff]+/u, ''));
  for (const head of HEADS) {
    const groups = head.exec(clean)?.groups;
    if (groups !== undefined) return { ...groups, rest: `${groups['rest']}${line.slice(MAX_HEAD)}` };
  }
  return undefined;
}

/** A year of two digits is of this century; Thailand's calendar is 543 years ahead. */
function toYear(text: string | undefined): number {
  const year = Number(text);
  if ((text ?? '').length <= 2) return 2000 + year;
  return year > 2400 && year < 2700 ? year - 543 : year;
}

/** The three numbers of a date in one of the orders. */
function toDay({ a, b, c }: Groups, order: DayOrder): { year: number; month: number; day: number } {
  const [first, second, third] = [Number(a), Number(b), Number(c)];
  if (order === 'year-first') return { year: toYear(a), month: second, day: third };
  const year = toYear(c);
  return order === 'day-first' ? { year, month: second, day: first } : { year, month: first, day: second };
}

function toTime(groups: Groups, order: DayOrder): string | undefined {
  const half = groups['arabic'] === undefined ? undefined : groups['arabic'] === 'م' ? 'pm' : 'am';
  const hour = toHour(Number(groups['hour']), groups['half'] ?? groups['ap'] ?? half);
  return toWall({
    ...toDay(groups, order),
    hour,
    minute: Number(groups['minute']),
    second: Number(groups['second'] ?? 0),
  });
}

const MAX_SEEN = 100;

/** Whether numbers of two digits before the others are years: over 12, fewer than the days, and days can be one digit. */
function areYears(firsts: ReadonlySet<string>, lasts: ReadonlySet<string>): boolean {
  if ([...firsts].some((first) => first.length !== 2 || Number(first) <= 12)) return false;
  return [...lasts].some((last) => last.length === 1) || (firsts.size < lasts.size && firsts.size <= 3);
}

/** What tells the order of day and month: a number over 12, else which order has time go forward. */
export function createDayOrderSurvey(): Survey {
  const seen = { dayFirst: 0, monthFirst: 0, yearFirst: 0, half: 0, slash: 0 };
  const last = { 'day-first': '', 'month-first': '' };
  const back = { 'day-first': 0, 'month-first': 0 };
  const [firsts, lasts] = [new Set<string>(), new Set<string>()];
  const look = (line: string): void => {
    const groups = readGroups(line);
    if (groups === undefined) return;
    if (firsts.size < MAX_SEEN) firsts.add(groups['a'] ?? '');
    if (lasts.size < MAX_SEEN) lasts.add(groups['c'] ?? '');
    if ((groups['a'] ?? '').length > 2) seen.yearFirst += 1;
    else if (Number(groups['a']) > 12) seen.dayFirst += 1;
    else if (Number(groups['b']) > 12) seen.monthFirst += 1;
    if (groups['ap'] !== undefined) seen.half += 1;
    if (groups['mark'] === '/') seen.slash += 1;
    for (const order of ['day-first', 'month-first'] as const) {
      const wall = toTime(groups, order);
      if (wall === undefined) continue;
      if (wall < last[order]) back[order] += 1;
      last[order] = wall;
    }
  };
  const lines = createLineSink(look);
  return { ...lines, result: () => ({ dayOrder: areYears(firsts, lasts) ? 'year-first' : decide(seen, back) }) };
}

function decide(
  seen: Readonly<Record<'dayFirst' | 'monthFirst' | 'yearFirst' | 'half' | 'slash', number>>,
  back: Readonly<Record<'day-first' | 'month-first', number>>,
): DayOrder {
  if (seen.yearFirst > seen.dayFirst + seen.monthFirst) return 'year-first';
  if (seen.dayFirst !== seen.monthFirst) return seen.dayFirst > seen.monthFirst ? 'day-first' : 'month-first';
  if (back['day-first'] !== back['month-first'])
    return back['day-first'] < back['month-first'] ? 'day-first' : 'month-first';
  // Only English of the United States writes both slashes and a 12-hour clock with the month first.
  return seen.half > 0 && seen.slash > 0 ? 'month-first' : 'day-first';
}

const ORDER_NOTES = {
  'day-first': 'dates are read with the day first (3/4 is 3 April)',
  'month-first': 'dates are read with the month first (3/4 is 4 March)',
  'year-first': 'dates are read with the year first',
} as const;

const SYSTEM =
  /^[^:]*(?:end-to-end encrypted|changed (?:the|this|their)|created (?:group|this group)|security code|joined using|["“”„«])/iu;

function readLine(line: string, order: DayOrder): HeadedLine | undefined {
  const groups = readGroups(line);
  if (groups === undefined) return undefined;
  const rest = groups['rest'] ?? '';
  const [, name, text] = /^([^:]{1,100}): ?(.*)$/su.exec(rest) ?? [];
  if (name === undefined || text === undefined || SYSTEM.test(rest))
    return { kind: 'left out', what: 'system message' };
  const wall = toTime(groups, order);
  if (wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
  // iOS marks its own words, such as "image omitted", with a mark of direction.
  const isOwn = text.startsWith('\u200e') && !text.startsWith('\u200e<');
  if (isOwn) return { kind: 'left out', what: 'media or system message' };
  return {
    kind: 'head',
    turn: { speaker: name.replace(MARKS, '').replace(/^~\s*/u, ''), role: 'participant', wall },
    text,
  };
}

const MEDIA =
  /^(?:<[^<>]{3,80}>|null|(?:image|video|audio|sticker|GIF|document|Contact card) omitted|(?:图像|图片|視訊|影片|视频|音频|音訊|贴图|貼圖|文件)(?:已忽略|已略過|省略))$/iu;
const DELETED =
  /^(?:this message was deleted\.?|you deleted this message\.?|waiting for this message.*|此消息已(?:被)?删除。?|您?你?已?删除了?此(?:条)?消息。?|(?:您|你)?已刪除(?:了)?(?:此|這則)訊息。?|(?:此|這則)訊息已刪除。?|diese nachricht wurde gelöscht\.?|du hast diese nachricht gelöscht\.?|se eliminó este mensaje\.?|eliminaste este mensaje\.?|ce message a été supprimé\.?|vous avez supprimé ce message\.?|(?:esta )?mensagem (?:foi )?apagada\.?|você apagou esta mensagem\.?|questo messaggio è stato eliminato\.?|hai eliminato questo messaggio\.?|dit bericht is verwijderd\.?|bu mesaj silindi\.?|данное сообщение удалено\.?|このメッセージは削除されました。?|삭제된 메시지입니다\.?)$/iu;
const ATTACHED = /^[^\s<>][^<>\n]{0,150}\.\w{2,5} ?[(（][^()（）\n]{3,40}[)）]$/u;

function toWords(raw: string) {
  const lines = raw.split('\n').map((line) => line.replace(/\u200e?<[^<>:]{2,30}:\s[^<>]{1,150}\.\w{2,5}>/gu, ''));
  const text = lines
    .map((line) => line.replace(MARKS, ''))
    .filter((line) => !ATTACHED.test(line.trim()))
    .join('\n')
    .replace(
      /\s?<[^<>\n]{0,30}(?:edit(?:ed|ad[oa]|ó)|编辑|編輯|bearbeitet|modifi[éc]|modificato|bewerkt|düzenlendi|изменено|編集)[^<>\n]{0,20}>$/iu,
      '',
    )
    .trim();
  if (text === '' || MEDIA.test(text)) return { leftOut: 'media' };
  return DELETED.test(text) ? { leftOut: 'deleted message' } : { text };
}

/** The text that WhatsApp exports on Android and iOS. */
export const whatsapp: Reader = {
  name: 'whatsapp',
  title: 'WhatsApp chat',
  detect: ({ lines }) => {
    const filled = lines.filter((line) => line.trim() !== '');
    const found = filled.flatMap((line) => readGroups(line)?.['rest'] ?? []);
    const heads = found.length;
    // WhatsApp writes a colon of English in every language.
    if (2 * found.filter((rest) => /^[^:：]{1,60}：/u.test(rest)).length > heads) return false;
    // An export begins with a head; elsewhere it may be quoted.
    return heads > 0 && (readGroups(filled[0] ?? '') !== undefined || 2 * heads > filled.length);
  },
  survey: createDayOrderSurvey,
  read: (out, { dayOrder = 'day-first', file }: ReaderOptions) => {
    out.note(ORDER_NOTES[dayOrder]);
    const title = /WhatsApp (?:Chat|聊天)[^\w]*(?:with|mit|con|avec|-)?\s*(?<name>[^/]+?)(?:\.txt|\/|$)/iu.exec(file);
    out.conversation({ title: title?.groups?.['name'] });
    return createHeadedLineSink({ readLine: (line) => readLine(line, dayOrder), toWords }, out);
  },
};

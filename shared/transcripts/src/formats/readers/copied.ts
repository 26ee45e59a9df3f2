import { parseMoment } from '@contextloom/retrieval/time';
import type { DayOrder, FoundTurn, Reader, Survey } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { isSender } from '../text/unknown-chat.ts';
import type { Words } from '../words.ts';
import { createDayOrderSurvey } from './whatsapp.ts';
import { readStamp, toStampTime } from './whatsapp-stamp.ts';

/** Heads of turns in what people copy out of a program, or what writes down a talk; the words stand below, or in the same line. */
const FORMS = {
  /** `Ann, [05.03.2024 09:00]` of Telegram on computers. */
  telegram: /^(?<name>\S.{0,78}?), \[(?<stamp>[^[\]]{6,40})\]:?$/u,
  /** `Ann — 03/05/2024 9:00 AM` of Discord. */
  discord: /^(?<name>\S.{0,58}?) — (?<stamp>\S.{3,39})$/u,
  /** `Ann 3/5/2024 9:00 AM` of WeChat in English. */
  wechat:
    /^(?<name>\S.{0,58}?)\s{1,4}(?<stamp>\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}),? \d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?)$/u,
  /** `[3/5/2024 9:00 AM] Ann` of Teams. */
  teams: /^\[(?<stamp>[^[\]]{4,40})\] (?<name>[^:：]{1,60})$/u,
  /** `Ann Lee  0:03` of Otter, `Ann (00:00:03):`, `Speaker 1: (00:03)`: the time since it began, which is no time of day. */
  elapsed:
    /^(?<name>\S[^\d:：()[\]]{0,50}?(?: \d{1,2})?):?\s{1,4}(?<stamp>[([]?\d{1,2}:\d{2}(?::\d{2})?[)\]]?):?\s{0,4}$/u,
  /** `李四(00:00:01): 你好` of meetings written down. */
  elapsedInLine:
    /^(?<name>[^\d\s:：()（）][^:：()（）]{0,40})\s?[(（](?<stamp>\d{1,2}:\d{2}(?::\d{2})?)[)）][:：]\s?(?<text>\S.*)$/su,
  /** `Ann Lee  9:00 AM` of Slack. */
  slack: /^(?<name>\S.{0,58}?)\s{1,4}(?<stamp>\d{1,2}:\d{2}\s?[AP]M)$/u,
} as const;
type Form = keyof typeof FORMS;

const MAX_HEAD = 140;
const CLOCK = /^[([]?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?[)\]]?$/iu;
/** A day that follows from the day of the copy. */
const RELATIVE = /^(?:today|yesterday|今天|昨天|heute|gestern)\b.{0,20}$/iu;
/** So many heads show that it is a chat; where they tell no day, names have to come again. */
const [MIN_HEADS, MIN_UNDATED_HEADS] = [2, 3];

interface Head {
  readonly name: string;
  readonly stamp: string;
  /** The words, where they stand in the same line. */
  readonly text: string;
}

function readHead(line: string, form: Form): Head | undefined {
  const start = line.slice(0, MAX_HEAD);
  if ((line.length > MAX_HEAD && form !== 'elapsedInLine') || !/\d|[—]/u.test(start)) return undefined;
  const { name, stamp, text = '' } = FORMS[form].exec(start.trimEnd())?.groups ?? {};
  // Companies show `Lee, Ann`.
  if (name === undefined || stamp === undefined || !isSender(name.replace(/^(\p{L}{1,40}), (?=\p{Lu})/u, '$1 ')))
    return undefined;
  const isTime = CLOCK.test(stamp) || RELATIVE.test(stamp) || toTime(stamp, 'day-first') !== undefined;
  // Whole days with the year first are of Chinese programs, which have forms of their own.
  return isTime && !/^\d{4}-/u.test(stamp)
    ? { name: name.trim(), stamp, text: text + line.slice(MAX_HEAD) }
    : undefined;
}

/** The time of a stamp with a day of numbers or of words; undefined of other stamps. */
function toTime(stamp: string, order: DayOrder): Pick<FoundTurn, 'wall'> | undefined {
  const found = readStamp(`[${stamp}] `) ?? readStamp(`[${stamp.replace(/(?<=\d),? (?=\d)/u, ', ')}] `);
  if (found !== undefined) {
    const other = order === 'day-first' ? 'month-first' : 'day-first';
    const wall = toStampTime(found.stamp, order) ?? toStampTime(found.stamp, other);
    return wall === undefined ? undefined : { wall };
  }
  const moment = /\p{L}{3}/u.test(stamp) ? parseMoment(stamp.replace(/ at (?=\d)/iu, ' ')) : undefined;
  return moment === undefined || moment.length <= 10 ? undefined : { wall: moment.slice(0, 19) };
}

/** The form that the heads of a text have; undefined when it is no such text. */
function findForm(lines: readonly string[]): Form | undefined {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  return (Object.keys(FORMS) as Form[]).find((form) => {
    if (readHead(first.replace(/^\uFEFF/u, ''), form) === undefined) return false;
    const heads = lines.flatMap((line, at) => {
      const head = readHead(line, form);
      const isFollowed = (lines[at + 1] ?? '').trim() !== '' || (lines[at + 2] ?? '').trim() !== '';
      return head !== undefined && (isFollowed || head.text !== '') ? [head] : [];
    });
    const isDated = heads.some(({ stamp }) => !CLOCK.test(stamp));
    const names = new Set(heads.map(({ name }) => name)).size;
    return isDated ? heads.length >= MIN_HEADS : heads.length >= MIN_UNDATED_HEADS && names < heads.length;
  });
}

/** Decides over all heads which number of a day is the month. */
function createSurvey(): Survey {
  const order = createDayOrderSurvey();
  const lines = createLineSink((line) => {
    for (const form of Object.keys(FORMS) as Form[]) {
      const head = readHead(line, form);
      if (head !== undefined) order.write(`[${head.stamp}] a: b\n`);
    }
  }, order.end);
  return { ...lines, result: order.result };
}

const createReadLine =
  (form: Form, order: DayOrder) =>
  (line: string): HeadedLine | undefined => {
    const head = readHead(line, form);
    if (head === undefined) return undefined;
    const turn = { speaker: head.name, role: head.name === '我' ? 'user' : 'participant' } as const;
    return { kind: 'head', turn: { ...turn, ...toTime(head.stamp, order) }, text: head.text };
  };

function toWords(text: string): Words {
  const [footer = ''] = /\nTranscribed by https:\/\/otter\.ai\s*$/u.exec(text) ?? [];
  const leftOut = footer === '' ? [] : [{ what: 'line of the exporter', text: footer.trim() }];
  return { text: text.slice(0, text.length - footer.length).trim(), leftOut };
}

/** Chats copied out of Telegram, Discord, Teams, Slack and WeChat in English, and talks written down by Otter and programs like it. */
export const copied: Reader = {
  name: 'copied',
  title: 'copied chat or written talk',
  detect: ({ lines }) => findForm(lines) !== undefined,
  survey: createSurvey,
  read: (out, { sample: { lines }, dayOrder = 'day-first' }) => {
    const form = findForm(lines) ?? 'telegram';
    const isUndated = lines.every((line) => {
      const head = readHead(line, form);
      return head === undefined || toTime(head.stamp, dayOrder) === undefined;
    });
    if (isUndated) out.note('its heads tell no day, so its turns are undated');
    return createHeadedLineSink({ readLine: createReadLine(form, dayOrder), toWords }, out);
  },
};

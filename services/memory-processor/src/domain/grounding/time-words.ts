import { findDates, type Moment, parseMoment, toWallDate } from '@contextloom/retrieval/time';
import { readNumbers } from './numbers.ts';

const DAY = 86_400_000;

/** Words that tell a day by another one, with the days from and to that they may mean. */
const RELATIVE: readonly (readonly [words: RegExp, from: number, to: number])[] = [
  [
    /\b(?:today|tonight|this (?:morning|afternoon|evening)|just (?:now|got|had)|now)\b|今天|今早|今晚|今日|刚才|刚刚|现在/iu,
    -1,
    1,
  ],
  [/\byesterday\b|\blast night\b|昨[天日晚]|前[天日]|大前天/iu, -4, 0],
  [/\btomorrow\b|明[天日早晚]|后天|大后天/iu, 0, 4],
  [
    /\b(?:last|past|previous) (?:week|weekend|few days)|\bthe other day\b|\brecently\b|\blately\b|上(?:个)?(?:周|星期|礼拜|周末)|最近|前几天|这几天|前阵子|前段时间/iu,
    -31,
    0,
  ],
  [
    /\b(?:last|on|this|next|coming) (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜)[一二三四五六日天末]/iu,
    -14,
    14,
  ],
  [/\bthis (?:week|weekend|month)\b|(?:这|本)(?:个)?(?:周|星期|礼拜|月)/iu, -31, 31],
  [/\b(?:next|upcoming|coming) (?:week|weekend|few days)|\bsoon\b|下(?:个)?(?:周|星期|礼拜)|过几天|不久/iu, 0, 31],
  [/\b(?:last|past|previous) (?:month|few (?:weeks|months))|上个?月|前几个月/iu, -190, 0],
  [/\bnext (?:month|few (?:weeks|months))|下个?月|过几个月|月底|月初/iu, -31, 100],
  [
    /\b(?:last|past|previous) (?:year|summer|winter|spring|fall|autumn|christmas)|\ba year ago\b|去年|前年/iu,
    -1_100,
    0,
  ],
  [
    /\b(?:this|next) (?:year|summer|winter|spring|fall|autumn|christmas)|今年|明年|年底|年初|(?:春|夏|秋|冬)天|暑假|寒假|春节|国庆|中秋/iu,
    -366,
    740,
  ],
];
const UNITS: readonly (readonly [words: RegExp, days: number])[] = [
  [/\bdays?\b|天|日/iu, 1],
  [/\bweeks?\b|周|星期|礼拜/iu, 7],
  [/\bmonths?\b|月/iu, 31],
  [/\byears?\b|\bdecades?\b|年|岁/iu, 366],
];

/** A stretch of time, in epoch milliseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The stretches of time that the words of a text may mean, said on a day. */
export function toMeantTimes(text: string, saidOn: Moment): readonly Stretch[] {
  const origin = Date.parse(toWallDate(saidOn));
  const stretch = (from: number, to: number): Stretch => ({ from: origin + from * DAY, to: origin + to * DAY });
  const relative = RELATIVE.filter(([words]) => words.test(text)).map(([, from, to]) => stretch(from, to));
  const few = /\b(?:a few|several|couple)\b|几/iu.test(text) ? [2, 3, 4, 5, 6] : [];
  const numbers = [...readNumbers(text), ...few].filter((count) => count > 0 && count <= 120);
  const counted = UNITS.filter(([words]) => words.test(text)).flatMap(([, days]) =>
    numbers.flatMap((count) => [stretch(-(count + 1) * days, -(count - 1) * days), stretch(0, (count + 1) * days)]),
  );
  return [stretch(-1, 1), ...relative, ...counted];
}

/** A day, month or year as a text names it. */
export interface NamedDate extends Stretch {
  readonly text: string;
}

/** The dates that a text names, to the first moment of their last day; those without a year are of the year that is given. */
export function readDates(text: string, year: number): readonly NamedDate[] {
  return findDates(text, year).map((date) => ({ text: date.text, from: date.from, to: date.to - DAY }));
}

/** Whether a stretch of time is one that words may have meant. */
export function isMeant({ from, to }: Stretch, meant: readonly Stretch[]): boolean {
  return meant.some((stretch) => from <= stretch.to && to >= stretch.from);
}

/** When a fact happened, if what was said can mean it; else undefined, and the day of the conversation stands. */
export function toMeantMoment(
  occurredAt: string | undefined,
  evidence: string,
  saidOn: Moment | undefined,
): Moment | undefined {
  const day = occurredAt === undefined ? undefined : parseMoment(toFullDate(occurredAt));
  if (day === undefined) return undefined;
  const at = Date.parse(toWallDate(day));
  const named = readDates(evidence, Number((saidOn ?? day).slice(0, 4)));
  const isNamed = named.some(({ from, to }) => at >= from && at <= to);
  if (isNamed || saidOn === undefined) return isNamed ? day : undefined;
  return isMeant({ from: at, to: at }, toMeantTimes(evidence, saidOn)) ? day : undefined;
}

/** `2023` and `2023-05` as their first day. */
function toFullDate(text: string): string {
  if (/^\d{4}$/u.test(text)) return `${text}-01-01`;
  return /^\d{4}-\d{1,2}$/u.test(text) ? `${text}-01` : text;
}

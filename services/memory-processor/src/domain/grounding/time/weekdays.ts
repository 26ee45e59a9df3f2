const ENGLISH = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const CHINESE: Readonly<Record<string, number>> = { 日: 0, 天: 0, 末: 6, 一: 1, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6 };
const WEEKDAY =
  /\b(sun|mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur)(?:day)?s?\b|(?:周|星期|礼拜)([一二三四五六日天])/giu;

function readWeekdays(text: string): readonly { readonly day: number; readonly text: string }[] {
  // 周二、四 is two days.
  const listed = text.replace(
    /((?:周|星期|礼拜)[一二三四五六日天])[、和跟]([一二三四五六日天])(?=[晚早上下中，。、\s]|$)/gu,
    '$1、周$2',
  );
  return [...listed.matchAll(WEEKDAY)].map(([shown, english, chinese = '']) => ({
    text: shown,
    day: english === undefined ? (CHINESE[chinese] ?? -1) : ENGLISH.indexOf(english.slice(0, 3).toLowerCase()),
  }));
}

const YEARS =
  /\b(?:last|this|next) (?:year|month|week)\b|[去前今明后]年|[上下这]个?月|[上下这]个?(?:周|星期)(?![一二三四五六日天])/giu;

/** A year, month or week of a fact told by now, where only other ones were said so. */
function findStrangePeriod(content: string, said: string): string | undefined {
  const stated = (said.toLowerCase().match(YEARS) ?? []).map((one) => one.replace('个', ''));
  const own = (content.match(YEARS) ?? []).find((one) => !stated.includes(one.toLowerCase().replace('个', '')));
  const isOfSameKind = stated.some((one) => own !== undefined && one.at(-1) === own.toLowerCase().at(-1));
  return isOfSameKind ? own : undefined;
}

/** A weekday of a fact, or a period told by now, where only other ones were said. */
export function findStrangeWeekday(content: string, said: string): string | undefined {
  const stated = new Set(readWeekdays(said).map(({ day }) => day));
  if (stated.size === 0) return findStrangePeriod(content, said);
  return readWeekdays(content).find(({ day }) => !stated.has(day))?.text ?? findStrangePeriod(content, said);
}

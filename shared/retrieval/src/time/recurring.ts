const DAYS = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const TIMES = `(?:${DAYS}|(?:week|work)?day|week(?:end)?|fortnight|month|quarter|spring|summer|autumn|fall|winter|year|morning|noon|afternoon|evening|night)`;
const OFTEN = '(?:other|second|third|fourth|single|few|\\d{1,3}(?:st|nd|rd|th)?|two|three|four)';

/** What says by itself that something comes again and again. */
const RECURRING: readonly RegExp[] = [
  new RegExp(`\\b(?:every|each)(?: ${OFTEN}){0,2} (?:\\w{1,12} )?(?:${TIMES}|hours?|days|weeks|months|years)\\b`, 'iu'),
  new RegExp(`\\b(?:on|most|all|some|my|our|and|or) ${TIMES}s\\b`, 'iu'),
  new RegExp(`\\b${DAYS}s\\b|\\b${DAYS} (?:mornings|afternoons|evenings|nights)\\b`, 'iu'),
  /\b(?:once|twice|thrice|(?:\d{1,3}|two|three|four|five|several|many) times) (?:a|an|each|every|per) \w/iu,
  /每(?:到|逢|当|隔)?(?:一|两|二|三|半|几|\d{1,2})?个?(?:周|星期|礼拜|天|日|月|年|季|早|晚|上午|下午|中午|夜|小时)/u,
  /天天|周周|月月|年年|逢(?:周|星期|礼拜|年|节)/u,
];

/** Words of a habit: with a day of the week alone they say that it is one. */
const HABIT: readonly RegExp[] = [
  /\b(?:always|usually|normally|typically|generally|often|regularly|mostly|sometimes|rarely|seldom|hardly ever|never|tend to|whenever|as a rule|used to)\b/iu,
  /总是|总会|老是|通常|一般|经常|时常|常常|往往|平时|平常|习惯|有时|偶尔|很少|从不|从来|一直|都会|都要|都去|都得/u,
];

/** What names one day beyond doubt, whatever else is said. */
const ONE_DAY: readonly RegExp[] = [
  /\b(?:yesterday|today|tonight|tomorrow|(?:last|this|next|coming) \w|\w+ (?:ago|before last|after next)|(?:19|20)\d\d)\b/iu,
  /\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d/iu,
  /昨[天晚日]|今[天晚日]|明[天晚日]|前天|后天|[上下这本]个?(?:周|星期|礼拜|月)|\d{1,2}月\d{1,2}[日号]|\d{4}年/u,
];

const has = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));

/** Whether a text tells of what happens again and again, such as "On Sunday I always call my mother": it is no event of a day. */
export function isRecurring(text: string): boolean {
  return has(RECURRING, text) || (has(HABIT, text) && !has(ONE_DAY, text));
}

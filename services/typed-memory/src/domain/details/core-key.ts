import { toPreferenceKey } from './preference.ts';

/** What a person has one of at a time, and how it is said. A fact about one of these takes the place of the one before. */
const attributes: readonly (readonly [key: string, names: string])[] = [
  ['name', 'names?|full name|名字|姓名|全名'],
  ['nickname', 'nick ?names?|昵称|外号'],
  ['birthday', 'birthday|birth ?date|date of birth|生日|出生日期'],
  ['age', 'age|年龄'],
  ['gender', 'gender|性别'],
  ['pronouns', 'pronouns'],
  ['email', 'e-?mail(?: address)?|邮箱|电子邮件'],
  ['phone', 'phone(?: number)?|mobile|电话|手机号?'],
  ['address', '(?:home )?address|住址|地址|家庭地址'],
  ['city', 'city|home ?town|所在城市|城市'],
  ['country', 'country|国家'],
  ['job', 'job(?: title)?|occupation|profession|职业|工作|职位'],
  ['employer', 'employer|company|公司|单位'],
  ['native language', 'native language|mother tongue|母语'],
  ['preferred language', 'preferred language|首选语言|偏好语言'],
  ['time zone', 'time ?zone|时区'],
  ['favourite colour', 'favou?rite colou?r|最喜欢的颜色'],
];

const OWNER = "(?:my|(?:the )?user(?:'s)?|我的?|用户的?)?\\s*(?:current |目前的?|现在的?)?";
const IS = '(?:\\s*(?:is|are|=|[:：])|\\s*(?:是|为|叫|改为))';
const byAttribute = attributes.map(
  ([key, names]) => [key, new RegExp(`^${OWNER}\\s*(?:${names})${IS}\\s*\\S`, 'iu')] as const,
);
/** Sentences that say the same without naming it. */
const sentences: readonly (readonly [key: string, pattern: RegExp])[] = [
  [
    'name',
    /^(?:(?:我|用户)(?:的名字)?叫(?![不了他她它你过来去])|call me\s|my name's\s|the user is (?:called|named)\s)/iu,
  ],
  [
    'city',
    /^(?:i|the user) (?:(?:now )?lives? in|(?:(?:have|has) )?moved to)\s|^(?:我|用户)(?:现在)?(?:住在|搬到了?)/iu,
  ],
  ['age', /^(?:i am|i'm|the user is) \d{1,3} years old|^(?:我|用户)(?:今年)?\d{1,3}岁/iu],
  ['employer', /^(?:i|the user) (?:now )?works? (?:at|for)\s|^(?:我|用户)(?:现在)?在\S{1,20}(?:工作|上班)/iu],
];

/** Longer labels are sentences that happen to have a colon. */
const LABEL = /^(?<label>[\p{L}\p{N}][\p{L}\p{N} _'’-]{0,39}?)\s*[:：]\s*\S/u;
/** What is said after the first clause would be lost with it when the next value takes its place. */
const SEVERAL_CLAUSES = /[,，;；。！？!?、]\s*\S|\.\s+\S|\s(?:and|but)\s/iu;
/** What a core fact is at most, in characters, to take another's place. */
const MAX_LENGTH = 500;

/**
 * The attribute that a core fact gives a value to; undefined for a fact that stands next to others, such as "I have a cat". It is
 * one of a list of attributes that a person has one of, the liking of one thing, or the label before a colon.
 */
export function toCoreKey(content: string): string | undefined {
  if (content.length > MAX_LENGTH) return undefined;
  const text = content.normalize('NFKC').trim();
  if (text.includes('\n') || SEVERAL_CLAUSES.test(text)) return undefined;
  const preference = toPreferenceKey(text);
  if (preference !== undefined) return preference;
  const named = [...byAttribute, ...sentences].find(([, pattern]) => pattern.test(text));
  if (named !== undefined) return named[0];
  const label = LABEL.exec(text)?.groups?.['label'];
  if (label === undefined || /^(?:https?|\d+)$/iu.test(label)) return undefined;
  return label
    .toLowerCase()
    .replace(/^(?:my|user's|我的|用户的)\s*/u, '')
    .trim();
}

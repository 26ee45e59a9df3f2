import { beginsWithDate, type Detector, type Finding, findAll } from './finding.ts';

/** Words that follow "the password is" and are no password. */
const REMARKS = new Set(
  `a all also an and any anything ashamed asked at bad better blank broken case clear common complex confidential convenient correct different
  difficult easy empty everything expensive fine for forgotten from funny given gone good great hard he hello her here hers hidden his i if
  important in incorrect invalid it its kept known leaked long lost mandatory mine missing my new no none not nothing now obvious off ok okay
  old on only optional or our ours out outdated own permanent personal popular private public ready required reset right safe same secret
  secure sensitive set shared she short shown silly simple so something somewhere still stolen strange strong taken temporary that the their
  theirs them there they this to too tough unclear unique unknown unsafe up urgent valid very was we weak weird what where which who why
  with written wrong yes yet you your yours`.split(/\s+/u),
);
const REMARK_ENDING = /.{3}(?:ed|ing|able|ible|less|ful|ly|ive|ous)$/iu;
const QUOTES = '["\'`“”‘’「」『』«»]';
const OPENING = `(?:${QUOTES}|\\*\\*)?`;
/** A token as people type it; Chinese goes on without a space, so it ends one. */
const TOKEN = '[^\\s,;"`“”‘’「」『』«»、。<>\\[\\]\\p{Script=Han}]';
const VALUE = `(?<value>${TOKEN}{3,64})`;

function trimEnd(value: string): string {
  return value.replace(/[.,:!?)'*]+$/u, '');
}

/** Letters alone are a word; with a digit, a sign or a capital inside they are hardly one. */
function isStrong(value: string): boolean {
  const token = trimEnd(value);
  if (/^\d+$/u.test(token)) return token.length >= 4;
  return /\d/u.test(token) || /[a-z][A-Z]/u.test(token) || /\w[@#$%^&*+=~!]/u.test(token);
}

function isRemark(word: string): boolean {
  return REMARKS.has(word.toLowerCase()) || REMARK_ENDING.test(word);
}

/** `rest` is what follows the value: a plain word is a password only when the clause ends with it. */
function isPassword(value: string, link: string, rest: string): boolean {
  if (isStrong(value)) return true;
  const word = trimEnd(value);
  if (/\sare\s/iu.test(link)) return false;
  if (word.length < 3 || isRemark(word) || !/^[\p{L}'_-]+$/u.test(word)) return false;
  return /[:=]\s*$/u.test(link) || value !== word || /^\s*(?:$|[.,;!?)\n。、]|(?:and|but|for|so|since)\b)/u.test(rest);
}

const NOUN = "(?:pass ?(?:word|code|phrase)s?|pwd|passwd)(?:'s)?";
const FILLER = '(?: (?:for|to|of|on|at)(?: [^\\s:=,;.!?[\\]]{1,30}){1,5}?)?';
const LINK =
  '(?<link>\\s{0,3}(?:->|=>|:|=)\\s{0,3}|\\s(?:is|was|are|be|as)(?: (?:now|still|just|simply|currently|always|actually|set to))?:?\\s{1,2})';
const ENGLISH = new RegExp(`(?<![\\p{L}\\d_])${NOUN}${FILLER}${LINK}${OPENING}${VALUE}`, 'dgiu');
const ENGLISH_QUOTED = new RegExp(
  `(?<![\\p{L}\\d_])${NOUN}${FILLER}${LINK}["“](?<value>[^"”\\[\\]\\n]{3,64})["”]`,
  'dgiu',
);
/** "Changed the password to hunter2", "password hunter2": only what cannot be a word. */
const ENGLISH_BARE = new RegExp(`(?<![\\p{L}\\d_])${NOUN}(?: to)? ${OPENING}${VALUE}`, 'dgiu');
/** "Uses hunter2 as her password". */
const ENGLISH_REVERSED = new RegExp(
  `(?<!\\S)${QUOTES}?(?<value>${TOKEN}{4,64})${QUOTES}? (?:is|was|as) (?:my|her|his|their|our|your|the|a) (?:[^\\s.,;]{1,20} ){0,3}(?:password|passcode|passphrase|pin)(?![A-Za-z]| (?:manager|hint|generator|reset))`,
  'dgiu',
);

const CODE =
  '(?:(?:verification|security|confirmation|access|login|one-time|auth(?:entication|orization)?|unlock|door|gate|alarm|safe|2fa|mfa|otp|sms|pin) code|one-time password|otp|cvv2?|cvc2?|pin number)';
const CODES = new RegExp(
  `(?<![A-Za-z])${CODE}(?: for(?: [^\\s:=,;.!?[\\]]{1,30}){1,4}?)?(?:\\s{0,3}(?:is|was|:|=|#)){0,2}\\s{0,3}${OPENING}(?<value>[A-Z]{0,3}[ -]?\\d(?:[ -]?\\d){2,11})(?![\\d%]|[.,/:-]\\d)`,
  'dgiu',
);
const PIN =
  /(?<![A-Za-z])(?:(?:PIN|pin|Pin)(?: for(?: [^\s:=,;.!?[\]]{1,30}){1,4}?)?(?:\s{0,3}[:=]|\s(?:is|was))(?: now| still)?|PIN)\s{0,3}["'“「]?(?<value>\d{4,12})(?![\d%A-Za-z]|[.,/:-]\d)/dgu;
const CREDENTIALS_IN_URL = /(?<=:\/\/[^\s:@/]{1,64}:)(?!\[)[^\s@/]{3,128}(?=@)/gu;

const CHINESE_NOUN =
  '(?:(?:密码|密碼|口令|暗码|通行码)|PIN码|(?:验证|驗證|校验|动态|识别|提取|安全|授权|激活|解锁|门禁|取件)码)(?:\\([^()]{0,12}\\))?';
const CHINESE_LINK =
  '(?<link>(?:一直|现在|已经|目前|还|仍然?|都|被|给|[我他她你您]|重新)*(?:是|为|叫|改成了?|改为|换成了?|换为|设成了?|设置?为|设置?成了?|就是|即|用的是|:|=){1,2}\\s{0,3}|\\s{0,3})';
const UNIT = '(?!\\s?[年月日位个次天元块岁秒]|\\s?分钟|\\s?小时)';
const CHINESE = new RegExp(
  `${CHINESE_NOUN}${CHINESE_LINK}${OPENING}(?<value>[\\x21-\\x2b\\x2d-\\x3a\\x3c-\\x5a\\x5c\\x5e-\\x7e]{3,64})${UNIT}`,
  'dgiu',
);
const CHINESE_REVERSED =
  /(?<![\w])(?<value>[A-Za-z\d@#$%^&*._!-]{4,64})[」』”"']?\s?(?:(?:就|当作?|作为?|设为|设成|设置为|用作|是)(?:了|我们?|[他她你您]们?|自己|[^\s,.;。]{0,8}的){0,3}[^\s,.;。\d]{0,6})(?:密码|口令)(?!管理|本|箱|锁|学|器)/dgu;

function isChinesePassword(value: string, link: string, rest: string): boolean {
  if (/^\[|^\(/u.test(value)) return false;
  if (link.trim() === '') return isStrong(value) && /\d{3}|[A-Za-z]/u.test(value) && !beginsWithDate(value);
  return isStrong(value) || (/^[A-Za-z_-]{4,}[.!]*$/u.test(value) && !/^\s?(?:的|密|里|上)/u.test(rest));
}

function findLinked(
  plain: string,
  pattern: RegExp,
  isSecret: (value: string, link: string, rest: string) => boolean,
): readonly Finding[] {
  return findAll(plain, pattern, 'password', (value, match) => {
    const end = match.index + match[0].length;
    return isSecret(value, match.groups?.['link'] ?? '', plain.slice(end, end + 16));
  }).map(({ start, end, kind }) => ({ start, end: start + trimEnd(plain.slice(start, end)).length, kind }));
}

/** Finds passwords, PINs and one-time codes that a text tells in words; only the value itself is found. */
export const findPasswords: Detector = (plain) => [
  ...findLinked(plain, ENGLISH, isPassword),
  ...findAll(plain, ENGLISH_QUOTED, 'password'),
  ...findLinked(plain, ENGLISH_BARE, (value) => isStrong(value) && !beginsWithDate(value)),
  ...findLinked(plain, ENGLISH_REVERSED, (value) => isStrong(value) && !beginsWithDate(value)),
  ...findAll(plain, CODES, 'password', (value) => !beginsWithDate(value)),
  ...findAll(plain, PIN, 'password'),
  ...findAll(plain, CREDENTIALS_IN_URL, 'password'),
  ...findLinked(plain, CHINESE, isChinesePassword),
  ...findLinked(plain, CHINESE_REVERSED, (value) => isStrong(value) && !beginsWithDate(value)),
];

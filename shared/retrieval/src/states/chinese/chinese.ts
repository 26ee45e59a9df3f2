import { isChineseOccupation } from '../../attributes/occupations.ts';
import { findChinesePlace } from '../../attributes/places.ts';
import { simplify } from '../../text/chinese/simplify.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import type { StatedSentence, StateLanguage, Statement } from '../statement.ts';
import * as words from './words.ts';

/** What is longer is no plain statement. */
const MAX_SENTENCE = 200;
const VALUE = '[\\p{Script=Han}\\p{L}\\p{N}@.+ -]{1,16}?';
const SHAPES: Readonly<Record<string, string>> = {
  place:
    '(?<now>[\\p{Script=Han}]{2,6}?|\\p{Script=Latin}[\\p{Script=Latin} ]{1,20})(?=(?:去|居?住|生活|定居){0,2}(?:一个?[多月年]|[两三四五六七八九十]个?[月年]|好?几[年个]|很久|半年|$))',
  name: '(?<over>[\\p{Script=Han}\\p{Script=Latin}]{1,6}?)',
  job: '(?<job>[\\p{Script=Han}]{2,8})',
  town: '(?<now>[\\p{Script=Han}]{2,6}?)',
  someone: '(?<now>女朋友|男朋友|女友|男友|对象)',
  now: `(?<now>${VALUE})`,
  over: `(?<over>${VALUE})`,
  of: `(?<of>[\\p{Script=Han}]{1,10}?)`,
  old: '[\\p{Script=Han}\\p{L}]{1,12}?',
};
const fill = (pattern: string): string => pattern.replace(/\{(\w+)\}/gu, (all, name: string) => SHAPES[name] ?? all);
const SUBJECT = `^(?:从?[一二三四五六七八九十\\d]{1,3}月(?:份|初|底)?(?:起|开始)?)?(?<subject>(?:我们?|咱们?)?家?(?:(?:${words.relations}))?|\\p{Script=Han}{2,3}?)`;
const compile = (pattern: string): RegExp =>
  new RegExp(
    `${SUBJECT}(?:\\d{4}年)?(?:[一二三四五六七八九十\\d]{1,3}月(?:份|起)?)?(?:从[一二三四五六七八九十\\d]{1,3}月开始)?(?:${fill(pattern)})`,
    'u',
  );
const compileAll = (patterns: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(patterns).flatMap(([attribute, all]) => all.map((one) => ({ attribute, pattern: compile(one) })));

const states = compileAll(words.states);
const changes = compileAll(words.changes);
const turns = words.turns.map((pattern) => new RegExp(`^(?:我的?|我们的?)?${fill(pattern)}`, 'u'));
const doubt = new RegExp(words.doubt, 'u');
const reports = new RegExp(words.reports, 'u');
const nowWords = new RegExp(words.now, 'u');
const everyNow = new RegExp(words.now, 'gu');
const cues = new RegExp(words.cues, 'u');
const adverbs = new RegExp(words.adverbs, 'gu');
const relation = new RegExp(`(?:${words.relations})$`, 'u');
/** 我的电话是…, 我女朋友叫… */
const possessive = /^(?:我们?的?)(?<key>新?\p{Script=Han}{1,8}?)(?:就?是|叫做?|[：:为])(?<now>[^，,。]{1,30})$/u;
const renewed = /^(?:我的)?新(?<key>\p{Script=Han}{1,6}?)(?:就?是|叫|[：:])(?<now>[^，,。]{1,30})$/u;
/** 不是十一月八号，是十一月十五号 */
const notThat = /不是(?<over>[^，,。是]{1,16})[，,]?(?:而)?是(?<now>[^，,。！!]{1,16})/u;
/** 影展十一月八号放映, 会议在周四 */
const thereIs =
  /^(?<of>\p{Script=Han}{1,12}?)(?:就?是|定?在|为|[：:])?(?<now>(?:(?:周|星期|礼拜)[一二三四五六日天末]|[\d一二三四五六七八九十百千万两零]{1,12}(?:[年月日号点块元]?[\d一二三四五六七八九十]{0,3}[日号]?)))/u;
/** 老周不是我的领导 */
const notMine = /^(?<who>\p{Script=Han}{2,4}?)不是我们?的?(?<what>\p{Script=Han}{1,6})$/u;
/** 豆豆走了 */
const gone = /^(?<over>\p{Script=Han}{2,3}?)(?:周[一二三四五六日天])?(?:走|去世|过世|死|没)$/u;
/** 小裴六月搬走了, 海燕公司把我裁了 */
const goneFor = new RegExp(
  `^(?:[一二三四五六七八九十\\d]{1,3}月)?(?<over>\\p{Script=Han}{2,8}?)(?:[一二三四五六七八九十\\d]{1,3}月)?(?:${words.gone}|把我(?:裁员|裁|辞退|开除|炒))$`,
  'u',
);
/** 我弟把…: what happens to a thing of somebody else. */
const ofOther = new RegExp(`^(?:我们?的?)?(?:${words.relations})把(?!我)`, 'u');
/** 婚礼改期了，改到十月十九号 */
const postponed = /^(?<of>\p{Script=Han}{1,10}?)(?:改期|改时间|推迟|延期|提前|改日子|挪)$/u;
const turned = /^(?:改|推迟|延期|提前|挪|换)(?:到|成|至)(?<now>.{1,16}?)$/u;
/** What rooms and other places are called in which nobody lives for long. */
const NO_HOME = /[厅台楼边间室下上里外面球处角桌头房层]$|^(?:过|这|那|新)/u;
const leaving = new RegExp(
  `^(?<who>[他她]|(?:我的?)?(?:女朋友|男朋友|女友|男友|对象|老婆|老公)|\\p{Script=Han}{2,3}?)${words.leaving}`,
  'u',
);
const renewal = new RegExp(`^我?换(?:新|个|部|辆|台|一个|一部|一辆|一台|新的)*(?<of>${words.renewable})$`, 'u');
const NAMELESS = /^(?:[他她]们?|前任|(?:我的?)?(?:女朋友|男朋友|女友|男友|对象|老婆|老公))$/u;
const YEAR = /(?<!\d)(?:19|20)\d\d(?=年)/gu;
const SOMEONE = /^(?:女朋友|男朋友|女友|男友|对象)$/u;
const PARTNER = /^(?:新)?(?:女朋友|男朋友|女友|男友|对象|老婆|老公|妻子|丈夫|未婚妻|未婚夫)$/u;
const SINGLE = /^(?:最喜欢的.*|邮箱|电话|手机号?|号码|手机|地址|领导|老板|房租|电脑|专业)$/u;
/** Other words for what has a number. */
const toKey = (key: string): string => key.replace(/^新/u, '').replace(/^(?:手机号码?|号码|电话号码|手机)$/u, '电话');

/** A value with numbers is another one where any of it differs. */
const NUMBER = /[\d一二三四五六七八九十百千万两]/u;

const toYear = (sentence: string): number | undefined => {
  const years = [...sentence.matchAll(YEAR)].map(([year]) => Number(year));
  return years.length > 0 ? Math.max(...years) : undefined;
};

/** The clauses of a sentence without adverbs, and with the particles off that end them. */
function toClauses(
  sentence: string,
): readonly { readonly text: string; readonly isOfNow: boolean; readonly isOver: boolean }[] {
  return sentence
    .split(/[，,；;。！!、\n]|——/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
    .map((clause) => {
      const isOfNow = nowWords.test(clause);
      const plain = clause
        .replace(everyNow, '')
        .replace(adverbs, '')
        .replace(/^(?:对了|更正一下|因为|所以|但是?|不过|然后|为了\p{Script=Han}{1,8}|因为\p{Script=Han}{1,8})/u, '')
        .trim();
      return {
        text: plain.replace(/了(?=[^了]*$)(?!解)/u, (_, at: number) => (at > 0 ? '' : '了')),
        isOfNow,
        isOver: /了/u.test(clause),
      };
    });
}

function toSubject(named: string, before: string): string | undefined {
  if (named === '') return before;
  if (/^(?:我们?|咱们?)家?$/u.test(named)) return 'me';
  const own = named.replace(/^(?:我们?|咱们?)家?的?/u, '');
  if (/^[他她它]/u.test(own)) return before === 'me' ? undefined : before;
  return own;
}

function toStatements(
  attribute: string,
  match: RegExpExecArray,
  given: { readonly before: string; readonly isChange: boolean; readonly isState: boolean },
): readonly Statement[] {
  const { subject: named = '', now, over, of, job } = match.groups ?? {};
  const subject = toSubject(named, given.before);
  if (subject === undefined) return [];
  if (job !== undefined && !isChineseOccupation(job)) return [];
  if (attribute === 'home' && now !== undefined && /\p{Script=Han}/u.test(now) && !/[跟和]/u.test(match[0])) {
    if (findChinesePlace(now) === undefined && NO_HOME.test(now)) return [];
  }
  const isOfAnything = attribute === 'any' || attribute === 'thing';
  const value = attribute === 'partner' && given.isState ? (now ?? over) : now;
  const isNameless = attribute === 'partner' && NAMELESS.test(over ?? '');
  const isStated = attribute === 'partner' && value === over;
  return [
    {
      subject,
      attribute: isOfAnything ? undefined : attribute,
      now: value ?? job,
      over: isStated || isNameless ? undefined : over,
      ...(of !== undefined && { of }),
      isChange: given.isChange,
    },
  ];
}

interface Clause {
  readonly text: string;
  readonly isOfNow: boolean;
  readonly isOver: boolean;
}

function readChanges({ text, isOver }: Clause, before: string): readonly Statement[] {
  if (!isOver && !/^(?:.{0,6})(?:再也|再)?不再/u.test(text)) return [];
  const found = changes.flatMap(({ attribute, pattern }) => {
    const match = pattern.exec(text);
    return match === null ? [] : toStatements(attribute, match, { before, isChange: true, isState: false });
  });
  const turnedTo = turns.flatMap((pattern) => {
    const { of, now } = pattern.exec(text)?.groups ?? {};
    const isOwn = of !== undefined && !ofOther.test(text);
    return isOwn ? [{ subject: 'me', attribute: 'turn', of: toOf(of), now, isChange: true }] : [];
  });
  const ended = goneFor.exec(text)?.groups?.['over'];
  const again = renewal.exec(text)?.groups?.['of'];
  const left = leaving.exec(text)?.groups?.['who'];
  const mine = notMine.exec(text)?.groups;
  const away = gone.exec(text)?.groups?.['over'];
  return [
    ...found,
    ...turnedTo,
    ...(mine === undefined ? [] : [{ subject: 'me', of: mine['what'], over: mine['who'], isChange: true }]),
    ...(again === undefined ? [] : [{ subject: 'me', attribute: 'turn', of: again, isChange: true }]),
    ...(left === undefined
      ? []
      : [{ subject: 'me', attribute: 'partner', over: NAMELESS.test(left) ? undefined : left, isChange: true }]),
    ...(ended === undefined || relation.test(ended) ? [] : [{ subject: 'me', over: ended, isChange: true }]),
    ...(away === undefined ? [] : [{ subject: 'me', over: `叫${away}`, isChange: true }]),
  ];
}

const toOf = (of: string): string => of.replace(/^(?:我的?|我们的?)/u, '');

function readStates({ text, isOfNow, isOver }: Clause, before: string): readonly Statement[] {
  const found = states.flatMap(({ attribute, pattern }) => {
    const match = pattern.exec(text);
    if (match === null) return [];
    // Where somebody lives is stated again by whoever says `我`; 住在成都 alone may be of any time.
    const isHome = attribute === 'home' && (/搬/u.test(text) ? isOver : match.groups?.['subject'] !== '');
    return toStatements(attribute, match, {
      before,
      isChange: isOfNow || isHome || attribute === 'partner',
      isState: true,
    });
  });
  const own = possessive.exec(text)?.groups ?? renewed.exec(text)?.groups;
  const key = own?.['key'] ?? '';
  const isChange = isOfNow || key.startsWith('新') || renewed.test(text) || SINGLE.test(toKey(key));
  const mine: readonly Statement[] =
    own === undefined
      ? []
      : [
          {
            subject: 'me',
            attribute: PARTNER.test(key) ? 'partner' : `my ${toKey(key)}`,
            ...(!PARTNER.test(key) && { of: toKey(key) }),
            now: own['now']?.trim(),
            isChange,
          },
        ];
  const dated = thereIs.exec(text)?.groups;
  const turn =
    dated === undefined
      ? []
      : [{ subject: 'me', attribute: 'turn', of: dated['of'], now: dated['now'], isChange: false }];
  return [...found, ...mine, ...turn];
}

function readSentence(sentence: string): StatedSentence {
  const plain = simplify(sentence.normalize('NFKC').replaceAll(',', '，')).trim();
  if (plain.length > MAX_SENTENCE || reports.test(plain)) return { text: sentence, statements: [] };
  const year = toYear(plain);
  let before = 'me';
  let named: string | undefined;
  const statements = toClauses(plain).flatMap((clause): readonly Statement[] => {
    if (doubt.test(clause.text)) return [];
    const found = [...readChanges(clause, before), ...readStates(clause, before)];
    const moved = turned.exec(clause.text)?.groups?.['now'];
    if (moved !== undefined && named !== undefined)
      found.push({ subject: 'me', attribute: 'turn', of: named, now: moved, isChange: true });
    named = postponed.exec(clause.text)?.groups?.['of'] ?? named;
    before =
      found.find((one) => one.of === undefined)?.subject ??
      toSubject(SUBJECT_ALONE.exec(clause.text)?.[0] ?? '', before) ??
      before;
    return [...found, { subject: before, isChange: false }];
  });
  const { over, now } = notThat.exec(plain)?.groups ?? {};
  const of = named ?? /^\p{Script=Han}{1,10}?(?=不是)/u.exec(plain)?.[0];
  const corrected =
    over === undefined || of === undefined ? [] : [{ subject: 'me', of: toOf(of), over, now, isChange: true }];
  const name = /(?:叫|名字是)(?<name>[\p{Script=Han}\p{Script=Latin}]{1,8})(?=[，。,]|$)/u.exec(plain)?.groups?.[
    'name'
  ];
  const toNamed = (one: Statement): Statement => (SOMEONE.test(one.now ?? '') ? { ...one, now: name ?? one.now } : one);
  return {
    text: sentence,
    statements: [...statements, ...corrected].map((one) => toNamed({ ...one, ...(year !== undefined && { year }) })),
  };
}

const SUBJECT_ALONE = new RegExp(`^(?:我们?|咱们?)?(?:${words.relations})|^(?:我们?|咱们?)`, 'u');

/** Without spaces and the 在 that some say and others do not: 住成都, 住在成都. */
const toCompared = (text: string): string => simplify(text).replace(/[\s在]/gu, '');

/** How Chinese tells that something is so no more. */
export const chinese: StateLanguage = {
  mayChange: (text) => cues.test(simplify(text)),
  read: (text) => splitSentences(text).map(readSentence),
  isSameSubject: (a, b) =>
    a === b || (a !== 'me' && b !== 'me' && (a.endsWith(b) || b.endsWith(a)) && relation.test(a) && relation.test(b)),
  names: (said, thing) => toCompared(said).includes(toCompared(thing)),
  isSameValue: (a, b) => a === b || (!NUMBER.test(`${a}${b}`) && (a.includes(b) || b.includes(a))),
};

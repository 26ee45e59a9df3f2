import { simplify } from '@contextloom/retrieval';

/** Whom a statement is about, by its first words. */
interface Subject {
  /** Names in their lower case; `user` for the user, who may have a name elsewhere. */
  readonly who: string;
  /** Of whom it is a relation: "sister" in "Ann's sister lives in Bonn". */
  readonly kin: string;
}

const USER = /^(?:(?:[Tt]he )?[Uu]ser\b|[Ii]\b|[Mm]y\b|用户|我)/u;
const NAMES = /^\p{Lu}[\p{L}\p{M}-]*(?: \p{Lu}[\p{L}\p{M}-]*){0,3}/u;
/** What is written with a capital at the beginning of a sentence and names nobody. */
const NOBODY =
  /^(?:a|an|the|this|that|these|those|it|its|there|he|she|they|his|her|their|we|our|in|on|at|since|when|after|before|every|some|no|one|both)\b/iu;
const CHINESE_KIN =
  /^(?:的)?(?<kin>父亲|爸爸|母亲|妈妈|父母|丈夫|老公|妻子|老婆|哥哥|弟弟|姐姐|妹妹|儿子|女儿|孩子|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|朋友|同事|同学|邻居|老板|男友|女友|男朋友|女朋友|室友|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹)/u;
const ENGLISH_KIN =
  /^(?:'s?|’s?)? ?(?<kin>(?:(?:older|younger|elder|little|big|best|twin|half|step|ex)[ -])?(?:father|dad|mother|mum|mom|parents|husband|wife|partner|brother|sister|son|daughter|child|children|grand\p{L}+|uncle|aunt|cousin|nephew|niece|friend|colleague|neighbou?r|boss|boyfriend|girlfriend|flatmate|roommate|\p{L}+-in-law))\b/u;
const SURNAME =
  /^[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦邱邹熊孟秦阎薛侯雷龙段郝孔邵史毛顾赖武康贺严尹钱施洪龚汤陶樊]\p{Script=Han}/u;

function toSubject(text: string): Subject | undefined {
  const said = simplify(text.slice(0, 200).normalize('NFKC')).trim();
  const user = USER.exec(said)?.[0];
  const named =
    user === undefined && !NOBODY.test(said) ? (NAMES.exec(said)?.[0] ?? SURNAME.exec(said)?.[0]) : undefined;
  const who = user ?? named;
  if (who === undefined) return undefined;
  const rest = said.slice(who.length);
  const kin = ENGLISH_KIN.exec(rest)?.groups?.['kin'] ?? CHINESE_KIN.exec(rest)?.groups?.['kin'] ?? '';
  return { who: user === undefined ? who.toLowerCase() : 'user', kin };
}

/** One name may be a part of the other, or stand elsewhere in what the other is said of: "Bonn is the home of Ann". */
function isNamedIn(name: string, text: string): boolean {
  const said = simplify(text.normalize('NFKC')).toLowerCase();
  return name.split(' ').some((word) => said.includes(word));
}

/**
 * Whether two statements say by their first words that they are about two people: "Ann lives in Bonn" and "Ann's sister lives in
 * Bonn" do. In doubt they are not: the user may be called by any name, and so may the sister.
 */
export function areOfTwoPeople(one: string, other: string): boolean {
  const [a, b] = [toSubject(one), toSubject(other)];
  if (a === undefined || b === undefined) return false;
  if (a.who === b.who) return a.kin !== b.kin;
  if (a.who === 'user' || b.who === 'user') return false;
  return !isNamedIn(a.who, other) && !isNamedIn(b.who, one);
}

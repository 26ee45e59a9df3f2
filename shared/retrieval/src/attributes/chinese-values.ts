import { isStopCharacter } from '../text/words/stop-words.ts';
import type { ReadValue } from './attribute.ts';
import { readName } from './english-values.ts';
import { isChineseOccupation } from './occupations.ts';
import { findChinesePlace, isCountry } from './places.ts';

const single = `
  王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江
  尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕
  单季裴霍涂成苗谷曲盛冉翁骆位路游靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳阎穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬
  边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝封官谈匡鞠惠荆乐冀胥储原`;

const singles = new Set([...single].filter((character) => character.trim() !== ''));
const compounds = new Set(
  '欧阳 司马 上官 诸葛 东方 夏侯 皇甫 尉迟 公孙 慕容 令狐 司徒 南宫 独孤 长孙 端木 司空 宇文'.split(' '),
);

/** The surname that a Chinese name begins with; undefined where it begins with none. */
export function findSurname(name: string): string | undefined {
  if (compounds.has(name.slice(0, 2))) return name.slice(0, 2);
  const [first = ''] = name;
  return singles.has(first) ? first : undefined;
}

const toValue = (value: string | undefined) => (value === undefined ? undefined : { value });
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const HAN = /^\p{Script=Han}+$/u;
/** Characters of speech about things, besides those of grammar: no name or thing has them. */
const OF_SPEECH = new Set('不没无个一来去要想有过给让把被会能可以还又再最太谁哪什怎为因什人车饭鸡鸭肉面汤菜饼粥茶');

/** Whether all characters are Chinese and none is one that only sentences have. */
const isNoun = (text: string): boolean =>
  HAN.test(text) && [...text].every((character) => !isStopCharacter(character) && !OF_SPEECH.has(character));

/** Whether a dictionary knows no word in a text but a surname: 陈|思|远, where 外卖 is a word. */
function isUnknownTo(text: string, surname: string): boolean {
  const words = [...segmenter.segment(text)].map(({ segment }) => segment);
  return words.every((word) => word.length === 1 || word === surname) || (words[0] === surname && words.length > 1);
}

/** The name of a person: a surname and one or two characters, or two that are no word; and a name in Latin letters. */
export const readChineseName: ReadValue = (text) => {
  if (/^\p{Script=Latin}/u.test(text)) return readName(text);
  if (!isNoun(text)) return undefined;
  const surname = findSurname(text) ?? '';
  const given = text.length - surname.length;
  const isName = surname === '' ? given === 2 : given === 1 || given === 2;
  return toValue(isName && isUnknownTo(text, surname) ? text : undefined);
};

const NUMBER = '(?:\\d{1,3}|[一二两三四五六七八九十]{1,3}|好几|好多|几|半)';
/** How long, and that it is so; days and weeks are a visit. */
const SINCE = new RegExp(
  `^(?:住|生活)?(?:(?:已经|快|都|有|大概|差不多|将近|了){0,3}${NUMBER}多?(?:年|个月)多?|(?:已经)?很久)?了?$`,
  'u',
);

/** A place, what follows left out; nothing where more than its district or how long follows. */
const toPlace =
  (isWhole: (rest: string) => boolean): ReadValue =>
  (text) => {
    if (/^\p{Lu}[\p{Script=Latin}' .-]*$/u.test(text)) return { value: text };
    const place = findChinesePlace(text);
    if (place === undefined) return undefined;
    const rest = text.slice(place.length).replace(/^市?(?:\p{Script=Han}{2,3}区)?/u, '');
    if (!isWhole(rest)) return undefined;
    return isCountry(place) ? { value: place, key: 'country' } : { value: place };
  };
/** The place where somebody lives. */
export const readChineseHome = toPlace((rest) => SINCE.test(rest));
/** The place where somebody lives, before its verb: 在苏州住, 在苏州住了八年了, where 住了八年 may be over. */
export const readChineseHomeBefore: ReadValue = (text) =>
  /年/u.test(text) && !text.endsWith('了') ? undefined : readChineseHome(text.replace(/(?:居住|生活|住)/u, ''));
/** A place and nothing else. */
export const readChineseTown = toPlace((rest) => rest === '');

/** An occupation and nothing else. */
export const readChineseJob: ReadValue = (text) => toValue(isChineseOccupation(text) ? text : undefined);

/** What somebody does for a living, with how long: 电工二十年了, 翻译工作, 会计的. */
export const readChineseWork: ReadValue = (text) =>
  readChineseJob(
    text.replace(/(?:工作|的)$/u, '').replace(/(?:已经)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})多?年了$/u, ''),
  );

const ORGANISATION = /(?:公司|集团|银行|大学|学院|医院|中学|小学|研究院|研究所|博物馆|图书馆|出版社|科技|局|处)$/u;
/** An organisation that has a place in its name: 中国银行, where 投资银行 is any. */
export const readChineseWorkplace: ReadValue = (text) => {
  const name = text.replace(/(?:工作|上班)$/u, '');
  return toValue(isNoun(name) && ORGANISATION.test(name) && findChinesePlace(name) !== undefined ? name : undefined);
};
/** Who somebody works for, where the words before it say that it is an employer: no bare place. */
export const readChineseEmployer: ReadValue = (text) =>
  ORGANISATION.test(text) || findChinesePlace(text) === undefined ? readChineseThing(text) : undefined;
/** A noun of two characters or more: one may be how something is, 贵. */
export const readChineseThing: ReadValue = (text) => (text.length > 1 ? readChineseNoun(text) : undefined);
/** What is called so: a noun. */
export const readChineseNoun: ReadValue = (text) => toValue(text.length <= 12 && isNoun(text) ? text : undefined);

const DIGIT = '零一二三四五六七八九';

function toYears(text: string): number {
  if (/^\d{1,3}$/u.test(text)) return Number(text);
  const [, tens = '', ten = '', ones = ''] = /^([二三四五六七八九]?)(十?)([一二三四五六七八九]?)$/u.exec(text) ?? [];
  if (ten === '') return tens !== '' && ones !== '' ? Number.NaN : DIGIT.indexOf(tens + ones);
  return 10 * (tens === '' ? 1 : DIGIT.indexOf(tens)) + (ones === '' ? 0 : DIGIT.indexOf(ones));
}

/** How old somebody is. */
export const readChineseAge: ReadValue = (text) => {
  const years = /^(?<years>\d{1,3}|[一二三四五六七八九十]{1,3}) ?(?:周岁|岁)了?$/u.exec(text)?.groups?.['years'];
  const age = years === undefined ? Number.NaN : toYears(years);
  return age >= 1 && age <= 120 ? { value: String(age) } : undefined;
};

const BIRTHDAY =
  /^(?:(?:农历|阴历|阳历|公历)?(?:\d{4}年)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十初廿]{1,3})[日号]?|\d{4}-\d\d-\d\d)$/u;
/** A day of birth, with or without its year. */
export const readChineseBirthday: ReadValue = (text) => {
  const day = text.replace(/(?:出生|生)的?$/u, '');
  return toValue(BIRTHDAY.test(day) ? day : undefined);
};

/** A colour. */
export const readChineseColour: ReadValue = (text) =>
  toValue(text.length <= 5 && isNoun(text) && /[色红黄蓝绿黑白紫粉灰橙棕青金银]$/u.test(text) ? text : undefined);
/** A season. */
export const readChineseSeason: ReadValue = (text) => toValue(/^[春夏秋冬][天季]?$/u.test(text) ? text : undefined);
/** A language. */
export const readChineseLanguage: ReadValue = (text) =>
  toValue(/^\p{Script=Han}{1,4}[语话文]$/u.test(text) && isNoun(text) ? text : undefined);
/** A book or film between its marks. */
export const readChineseTitle: ReadValue = (text) =>
  toValue(/^《(?<title>[^《》]{1,60})》$/u.exec(text)?.groups?.['title']);

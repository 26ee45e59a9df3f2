import { simplify, tokenize } from '@contextloom/retrieval';
import { CHINESE_PLACES, isOpener, SAME_NAMES } from './name-forms.ts';

/** Words that are written with a capital letter and name nobody, in their lower case. */
const ORDINARY = new Set(
  `i a an the in on at by for from with after before since until during when while because although if as of to and but or so
  he she it they we you his her hers its their theirs our my your this that these those there here one both each all some
  no not user assistant ai tv ok usa uk us eu pc cd dvd am pm mr mrs ms dr prof st sir madam lord lady mom mum dad grandma grandpa
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august september october
  november december spring summer autumn fall winter christmas easter`
    .trim()
    .split(/\s+/),
);

/** Surnames that seldom begin another word. Source: the most frequent of the Hundred Family Surnames in use. */
const SURNAMES =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦邱邹熊孟秦阎薛侯雷龙段郝孔邵史毛顾赖武康贺严尹钱施洪龚汤陶樊';
const TITLES =
  '阿姨|叔叔|伯伯|大爷|大妈|奶奶|爷爷|老师|医生|大夫|先生|女士|小姐|太太|师傅|经理|主任|教授|同学|哥|姐|总|工';
const TITLED = new RegExp(
  `[${SURNAMES}](?:${TITLES})|(?:小|老|阿)[${SURNAMES}](?![\\p{Script=Han}]{0}[家板师婆公])`,
  'gu',
);
const FUNCTION = new Set(
  '的了着过在是有和与跟给把被从到对向为就也都很不没要想会能可这那他她它们我你您吗呢吧啊说去来上下怕吃喝买卖看听教住走跑做写读坐带送打找用玩穿当叫姓病又再才还只每但最更太已曾将正刚今昨明前后里外年月日号点岁',
);

/** Capitalised words in a row, `of` and the like between them: names that may be written as one acronym. */
const ROW = /\p{Lu}[\p{L}\p{N}'’-]*(?:\s+(?:(?:of|the|and|for|de)\s+)?\p{Lu}[\p{L}\p{N}'’-]*)+/gu;

/** What is segmented at once: the segmenter needs the square of a run without blanks, and no name needs a longer one. */
const SEGMENT = /\p{Script=Han}{1,100}/gu;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Text as it is looked up in: one case, no marks. */
function toLookup(text: string): string {
  return simplify(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, '');
}

/** Where names may come from. */
export interface NameSource {
  readonly has: (name: string) => boolean;
  /** Whether the initials of several words are there as one: New York City as NYC. */
  readonly hasAcronym: (name: string) => boolean;
}

/** The initials of the names of several words that a text has. */
function toInitials(text: string): readonly string[] {
  return (text.match(ROW) ?? []).map((row) =>
    row
      .split(/[\s-]+/u)
      .filter((word) => /^\p{Lu}/u.test(word))
      .map((word) => word[0] ?? '')
      .join('')
      .toLowerCase(),
  );
}

/** Makes a source of names of texts: a word is there with other endings, and in another case. */
export function createNameSource(texts: readonly string[]): NameSource {
  const all = texts.join('\n');
  const lookup = toLookup(all);
  const lower = all.toLowerCase();
  const universities = simplify(all).match(/\p{Script=Han}{1,3}大(?!家|概|约|人|小|部|多|学)/gu) ?? [];
  // 武大 is 武汉大学, 中科大 is 中国科学技术大学.
  const hasUniversity = (name: string): boolean =>
    name.endsWith('大学') &&
    universities.some((short) =>
      [3, 2].some((length) => {
        const initials = [...short].slice(-length);
        const letters = [...name.slice(0, -1)];
        return (
          initials[0] === letters[0] && initials.every((one) => letters.splice(0, letters.indexOf(one) + 1).length > 0)
        );
      }),
    );
  const words = new Set(
    (
      all
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).map((word) => word),
  );
  const stems = new Set(tokenize(all, { keepStopWords: true }).terms);
  const prefixes = new Set([...words].filter((word) => word.length >= 5).map((word) => word.slice(0, 5)));
  const hasWord = (word: string): boolean =>
    words.has(word) ||
    tokenize(word, { keepStopWords: true }).terms.every((term) => stems.has(term)) ||
    // Georgia and Georgian, paint and painter.
    (word.length >= 6 && prefixes.has(word.slice(0, 5)));
  const hasForm = (plain: string): boolean => {
    const key = toLookup(plain);
    return [...(SAME_NAMES.get(key) ?? [])].some(
      (form) => words.has(form) || (form.length > 3 && lookup.includes(form)) || lower.includes(form),
    );
  };
  const initials = toInitials(all);
  const capitals = new Set((all.match(/\p{Lu}[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase()));
  // Alex and Alexandra; an acronym and the words it is made of.
  const hasShort = (plain: string): boolean =>
    (plain.length >= 3 &&
      [...capitals].some((word) => word.length >= 3 && (word.startsWith(plain) || plain.startsWith(word)))) ||
    (/^[a-z]{2,6}$/u.test(plain) && initials.some((one) => one.startsWith(plain)));
  const hasAcronym = (name: string): boolean => {
    const own = name
      .split(/[\s-]+/u)
      .filter((word) => /^\p{Lu}/u.test(word))
      .map((word) => word[0] ?? '')
      .join('')
      .toLowerCase();
    return own.length >= 2 && [...words].some((word) => word === own);
  };
  return {
    hasAcronym,
    has: (name) => {
      const plain = name
        .normalize('NFKC')
        .toLowerCase()
        .replace(/['’](?:s|d|m|ll|re|ve)?$/u, '');
      if (hasForm(plain) || hasShort(toLookup(plain)) || hasUniversity(plain)) return true;
      if (lookup.includes(toLookup(plain)))
        return plain.length > 3 || words.has(plain) || /\p{Script=Han}/u.test(plain);
      return (
        !/\p{Script=Han}/u.test(plain) && plain.split(/[^\p{L}\p{N}]+/u).every((word) => word === '' || hasWord(word))
      );
    },
  };
}

/** Names of two or three characters, told from words by the segmenter: it has no word for them. */
function readChineseNames(text: string): readonly string[] {
  const names: string[] = [...text.matchAll(TITLED)].map(([name]) => name);
  const bare = text.replace(TITLED, '，');
  for (const run of bare.match(SEGMENT) ?? []) {
    const pieces = [...segmenter.segment(run)].map(({ segment }) => segment);
    pieces.forEach((piece, at) => {
      const next = pieces[at + 1];
      if (piece.length !== 1 || !SURNAMES.includes(piece) || next === undefined) return;
      if (next.length === 1 && !FUNCTION.has(next)) names.push(piece + next);
    });
  }
  return names;
}

/** A word that a place stands in: after a verb or preposition of place, up to one of what is done there. */
const LOCATED =
  /(?:(?<![现正实存好])在|去|到|来自|住在|飞往|搬到|毕业于|就读于|入职|考[上入]了?|考进了?)([\p{Script=Han}]{2,8})/gu;
/** Words after a preposition of place that are none, or of any place. */
const NO_PLACE =
  /[的了着过是我你他她它这那哪上下里外前后中内]|家|公司|医院|学校|大学|单位|国外|老家|外地|一起|考虑|准备|计划|学习|工作|努力|年|月|日|周|店|馆|室/u;

/** The first word that a Chinese text tells a place by. */
function readLocations(text: string): readonly string[] {
  return [...text.matchAll(LOCATED)].flatMap(([, rest = '']) => {
    const [first] = segmenter.segment(rest);
    const word = /^.{2,6}?大学/u.exec(rest)?.[0] ?? first?.segment ?? '';
    return word.length < 2 || NO_PLACE.test(word) ? [] : [word];
  });
}

/** Whether a capitalised word stands where every word has a capital letter. */
const isFirst = (text: string, at: number): boolean =>
  /(?:^|[.!?。！？:："“(]\s*)$/u.test(text.slice(Math.max(0, at - 3), at));

/** The names that a fact tells: capitalised words, words in Latin letters within Chinese, Chinese names and places, titles. */
export function readNames(given: string): readonly string[] {
  const text = simplify(given);
  const isChinese = /\p{Script=Han}/u.test(text);
  const pattern = isChinese
    ? /[\p{Script=Latin}][\p{Script=Latin}\p{N}'’-]+/gu
    : /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’-]*/gu;
  const latin = [...text.matchAll(pattern)].flatMap(({ 0: word, index }) =>
    !isChinese && isFirst(text, index) && isOpener(word.replace(/['’].*$/u, '')) ? [] : [word],
  );
  const titles = [...text.matchAll(/《([^》]{1,80})》|「([^」]{1,80})」|“([^”]{2,80})”|"([^"]{2,80})"/gu)].map(
    ([, ...inner]) => inner.find((part) => part !== undefined) ?? '',
  );
  const capital = latin.filter((word) => !ORDINARY.has(word.toLowerCase().replace(/['’].*$/u, '')));
  const places = isChinese
    ? [
        ...[...text.matchAll(new RegExp(`(?:${CHINESE_PLACES.source})(?!大学|大$)`, 'gu'))].map(([place]) => place),
        ...readLocations(text),
      ]
    : [];
  return [...capital, ...titles, ...places, ...(isChinese ? readChineseNames(text) : [])];
}

/** The first name of a text that is not in a source; a row of capitalised words may be there as one acronym. */
export function findStrangeName(text: string, source: NameSource): string | undefined {
  const rows = (text.match(ROW) ?? []).filter((row) => source.hasAcronym(row)).join(' ');
  return readNames(text).find((name) => !source.has(name) && !rows.includes(name));
}

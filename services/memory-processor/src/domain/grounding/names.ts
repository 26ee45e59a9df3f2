import { tokenize } from '@contextloom/retrieval';

/** Words that are written with a capital letter and name nobody, in their lower case. */
const ORDINARY = new Set(
  `i a an the in on at by for from with after before since until during when while because although if as of to and but or so
  he she it they we you his her hers its their theirs our my your this that these those there here one both each all some
  no not user assistant ai tv ok usa uk us eu pc cd dvd am pm mr mrs ms dr prof st sir madam lord lady mom mum dad grandma grandpa
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
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
  '的了着过在是有和与跟给把被从到对向为就也都很不没要想会能可这那他她它们我你您吗呢吧啊说去来上下',
);

/** What is segmented at once: the segmenter needs the square of a run without blanks, and no name needs a longer one. */
const SEGMENT = /\p{Script=Han}{1,100}/gu;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Text as it is looked up in: one case, no marks. */
function toLookup(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, '');
}

/** Where names may come from. */
export interface NameSource {
  readonly has: (name: string) => boolean;
}

/** Makes a source of names of texts: a word is there with other endings, and in another case. */
export function createNameSource(texts: readonly string[]): NameSource {
  const all = texts.join('\n');
  const lookup = toLookup(all);
  const words = new Set(
    (
      all
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).map((word) => word),
  );
  const stems = new Set(tokenize(all, { keepStopWords: true }).terms);
  const prefixes = new Set([...words].filter((word) => word.length >= 4).map((word) => word.slice(0, 4)));
  const hasWord = (word: string): boolean =>
    words.has(word) ||
    tokenize(word, { keepStopWords: true }).terms.every((term) => stems.has(term)) ||
    // Sweden and Swedish, paint and painter.
    (word.length >= 5 && prefixes.has(word.slice(0, 4)));
  return {
    has: (name) => {
      const plain = name
        .normalize('NFKC')
        .toLowerCase()
        .replace(/['’](?:s|d|m|ll|re|ve)?$/u, '');
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
  for (const run of text.match(SEGMENT) ?? []) {
    const pieces = [...segmenter.segment(run)].map(({ segment }) => segment);
    pieces.forEach((piece, at) => {
      const next = pieces[at + 1];
      if (piece.length !== 1 || !SURNAMES.includes(piece) || next === undefined) return;
      if (next.length === 1 && !FUNCTION.has(next)) names.push(piece + next);
    });
  }
  return names;
}

/** The names that a fact tells: capitalised words, words in Latin letters within Chinese, Chinese names, quoted titles. */
export function readNames(text: string): readonly string[] {
  const isChinese = /\p{Script=Han}/u.test(text);
  const latin =
    text.match(isChinese ? /[\p{Script=Latin}][\p{Script=Latin}\p{N}'’-]+/gu : /\p{Lu}[\p{L}\p{N}'’-]*/gu) ?? [];
  const titles = [...text.matchAll(/《([^》]{1,80})》|「([^」]{1,80})」|“([^”]{2,80})”|"([^"]{2,80})"/gu)].map(
    ([, ...inner]) => inner.find((part) => part !== undefined) ?? '',
  );
  const capital = latin.filter((word) => !ORDINARY.has(word.toLowerCase().replace(/['’].*$/u, '')));
  return [...capital, ...titles, ...(isChinese ? readChineseNames(text) : [])];
}

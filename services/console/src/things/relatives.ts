import type { Language } from '../i18n/languages.ts';
import { toConversation } from '../memories/conversation-text.ts';

const en = {
  son: 'Son',
  daughter: 'Daughter',
  mother: 'Mother',
  father: 'Father',
  sister: 'Sister',
  brother: 'Brother',
  wife: 'Wife',
  husband: 'Husband',
  partner: 'Partner',
  friend: 'Friend',
  colleague: 'Colleague',
  neighbour: 'Neighbour',
  relative: 'Relative',
  pet: 'Pet',
} as const;
/** What somebody is to the user. */
export type RelationToUser = keyof typeof en;
type Texts = Readonly<Record<RelationToUser, string>>;

const zh: Texts = {
  son: '儿子',
  daughter: '女儿',
  mother: '母亲',
  father: '父亲',
  sister: '姐妹',
  brother: '兄弟',
  wife: '妻子',
  husband: '丈夫',
  partner: '伴侣',
  friend: '朋友',
  colleague: '同事',
  neighbour: '邻居',
  relative: '亲戚',
  pet: '宠物',
};

const ja: Texts = {
  son: '息子',
  daughter: '娘',
  mother: '母',
  father: '父',
  sister: '姉妹',
  brother: '兄弟',
  wife: '妻',
  husband: '夫',
  partner: '恋人',
  friend: '友人',
  colleague: '同僚',
  neighbour: '隣人',
  relative: '親戚',
  pet: 'ペット',
};

/** What each relation is called, in the reader's language. */
export const relationTexts: Readonly<Record<Language, Texts>> = { en, zh, ja };

/** The words that say a relation, as alternatives of an expression. */
const said: Readonly<Record<Language, Texts>> = {
  en: {
    son: 'son',
    daughter: 'daughter',
    mother: 'mother|mum|mom',
    father: 'father|dad',
    sister: 'sister',
    brother: 'brother',
    wife: 'wife',
    husband: 'husband',
    partner: 'partner|girlfriend|boyfriend|fiancée?',
    friend: 'friend|flatmate|roommate|housemate',
    colleague: 'colleague|boss|manager',
    neighbour: 'neighbou?r',
    relative: 'aunt|uncle|cousin|nephew|niece|grandson|granddaughter|grandmother|grandfather|gran|grandma|grandpa',
    pet: 'cat|dog|puppy|kitten|rabbit|horse|parrot|hamster',
  },
  zh: {
    son: '儿子',
    daughter: '女儿',
    mother: '妈妈|母亲',
    father: '爸爸|父亲',
    sister: '姐姐|妹妹',
    brother: '哥哥|弟弟',
    wife: '妻子|老婆',
    husband: '丈夫|老公',
    partner: '女朋友|男朋友|女友|男友|对象',
    friend: '朋友|闺蜜|室友',
    colleague: '同事|老板|领导|上司',
    neighbour: '邻居',
    relative: '奶奶|爷爷|外婆|外公|姑姑|舅舅|叔叔|阿姨|表哥|表姐|表弟|表妹|侄子|侄女',
    pet: '猫|狗|狗狗|猫咪|兔子',
  },
  ja: {
    son: '息子',
    daughter: '娘',
    mother: '母',
    father: '父',
    sister: '姉|妹',
    brother: '兄|弟',
    wife: '妻',
    husband: '夫',
    partner: '彼女|彼氏|恋人',
    friend: '友達|友人|親友',
    colleague: '同僚|上司',
    neighbour: '隣人',
    relative: '祖母|祖父|おば|おじ|いとこ|甥|姪',
    pet: '猫|犬|うさぎ',
  },
};

/** How a sentence says it: `{who}` stands for the words of a relation, the group of this name for the name. */
const patterns: Readonly<Record<Language, readonly string[]>> = {
  en: [
    // my sister Ros, my best friend Ann, my son is called Kit
    '\\b[Mm]y (?:[a-z]{1,20} )?(?:{who})(?: (?:is|was))?(?: (?:called|named))? (?<name>\\p{Lu}\\p{Ll}{1,20})',
    // Ros, my sister
    '(?<name>\\p{Lu}\\p{Ll}{1,20})(?:, | is |, who is )my (?:[a-z]{1,20} )?(?:{who})(?=[,.;!]|$| and )',
    // we've got a cat called Pylon
    '\\b(?:a|our) (?:[a-z]{1,20} )?(?:{who}) (?:called|named) (?<name>\\p{Lu}\\p{Ll}{1,20})',
  ],
  zh: [
    // 我儿子叫小明
    '我(?:的|家)?(?:{who})(?:名字)?叫(?:做)?(?<name>\\p{Script=Han}{2,3}?|\\p{Lu}\\p{Ll}{1,20})(?=[，。！？、,.!?\\s]|$|今|在|了|很|也|和|说)',
    // 小明是我儿子
    '(?:^|[，。！？、,.!?\\s])(?<name>\\p{Script=Han}{2,3}|\\p{Lu}\\p{Ll}{1,20})是我的?(?:{who})',
  ],
  ja: [
    // 妹の結衣は, 娘の美咲が
    '(?:^|[、。私僕俺のは\\s])(?:{who})の(?<name>[\\p{Script=Han}\\p{Script=Katakana}ー]{2,5})(?=[はがをにとも、。]|さん|ちゃん|くん|$)',
    // タマという猫
    '(?<name>[\\p{Script=Han}\\p{Script=Katakana}ー]{2,5})という(?:{who})',
  ],
};

const rules = (Object.keys(patterns) as readonly Language[]).flatMap((language) =>
  (Object.keys(en) as readonly RelationToUser[]).flatMap((relation) =>
    patterns[language].map((pattern) => ({
      relation,
      expression: new RegExp(pattern.replace('{who}', said[language][relation]), 'gu'),
    })),
  ),
);

/** Who is named with what they are to the one who speaks: each name with its relation, once a sentence. */
export function findRelatives(words: string): ReadonlyMap<string, RelationToUser> {
  const found = new Map<string, RelationToUser>();
  for (const { relation, expression } of rules) {
    for (const { groups } of words.matchAll(expression)) {
      const name = groups?.['name'];
      if (name !== undefined) found.set(name, relation);
    }
  }
  return found;
}

/** Somebody of whom the user speaks, and in how many of the memories. */
export interface Relative {
  readonly name: string;
  readonly relation: RelationToUser;
  readonly count: number;
}

/** Of whom the user speaks in memories by what they are to them, most often first; what others say of theirs is not it. */
export function toRelatives(texts: readonly string[], user: string): readonly Relative[] {
  const own = new Set(['user', user.toLowerCase()]);
  const known = new Map<string, { relation: RelationToUser; count: number }>();
  for (const text of texts) {
    const conversation = toConversation(text);
    const said = conversation.filter(({ speaker }) => speaker === undefined || own.has(speaker.toLowerCase()));
    const words = conversation.length === 0 ? text : said.map((one) => one.words).join('\n');
    for (const [name, relation] of findRelatives(words)) {
      known.set(name, { relation, count: (known.get(name)?.count ?? 0) + 1 });
    }
  }
  return [...known].map(([name, one]) => ({ name, ...one })).toSorted((a, b) => b.count - a.count);
}

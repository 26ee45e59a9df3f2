import type { PeopleWords } from '../people-words.ts';

/** How Japanese names people. */
export const people: PeopleWords = {
  relations: {
    son: '息子',
    daughter: '娘',
    child: '子供|子ども',
    mother: '母|お母さん',
    father: '父|お父さん',
    sister: '姉|妹',
    brother: '兄|弟',
    wife: '妻|嫁',
    husband: '夫|旦那',
    partner: '彼女|彼氏|恋人|婚約者',
    friend: '友達|友人|親友|同級生',
    colleague: '同僚|上司|部下',
    person: '人|方|男性|女性',
    neighbour: '隣人',
    relative: '祖母|祖父|おば|おじ|いとこ|甥|姪|孫',
    pet: '猫|犬|うさぎ|ペット',
  },
  name: '[\\p{Script=Han}\\p{Script=Katakana}ー]{2,5}',
  noNames: '自分|名前|誕生日|家族|仕事|会社|学校|病院|部屋|写真|料理|ケーキ|両親|実家|結婚|子供|一人|大学|電話|世話',
  speakers: 'ユーザー|お客様|話者|司会|匿名|不明|管理人|システム',
  sentences: [
    // 妹の結衣は, 娘の美咲が
    '(?:^|[、。私僕俺のは\\s])(?:{relation})の{name}(?=[はがをにとも、。]|さん|ちゃん|くん|$)',
    // 妹の名前は結衣です
    '(?:^|[、。私僕俺のは\\s])(?:{relation})の名前は{name}(?=[、。]|です|だ|と|$)',
    // タマという猫
    '{name}という(?:名前の)?(?:{relation})(?![\\p{Script=Han}])',
  ],
};

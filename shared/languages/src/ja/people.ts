import type { PeopleWords } from '../people-words.ts';

const OWN = '(?:^|[、。私僕俺のは\\s])';
const HONORIFIC = '(?:さん|ちゃん|くん|君|先生|部長|課長|様)';
/** Names before what only persons are called: Chinese characters or katakana. */
const HONOURED = '(?:\\p{Script=Han}{2,4}?|[\\p{Script=Katakana}ー]{2,8})';
/** How given names end; other words of Chinese characters stand in the same places. */
const GIVEN =
  '\\p{Script=Han}{1,2}[子美香奈菜衣恵絵江代花華咲郎太介輔也哉雄夫男彦樹斗翔希莉理紀穂音里沙織]|(?:葵|蓮|凛|湊|陽菜|さくら|ひなた|浩|誠|健|翼|楓)';

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
    friend: '友達|友人|親友|同級生|ルームメイト',
    colleague: '同僚|上司|部下|先輩|後輩',
    person: '人|方|男性|女性|担任',
    neighbour: '隣人',
    relative: '祖母|祖父|おば|おじ|叔母|叔父|伯母|伯父|いとこ|従兄|従姉|従弟|従妹|甥|姪|孫',
    pet: '猫|犬|うさぎ|ペット',
  },
  name: '[\\p{Script=Han}\\p{Script=Katakana}ー]{2,5}',
  noNames:
    '自分|名前|誕生日|家族|仕事|会社|学校|病院|部屋|写真|料理|両親|実家|結婚|子供|一人|大学|電話|世話|旦那|奥|何|誰|秘密|いい|ない|まだ|これ|それ|かわいい|椅子|帽子|様子|餃子|菓子|調子|息子|弟子|双子|女子|男子|時代|世代|年代|大丈夫|工夫|長男|次男|管理|修理|無理|心理|地理|物理|整理|代理|日記|世紀|発音|録音|故郷|.*(?:師|員|者|士|手|屋|官|長|家)',
  speakers: 'ユーザー|お客様|話者|司会|匿名|不明|管理人|システム',
  sentences: [
    // 同僚の田中さん, 親友の真理ちゃん
    `${OWN}{relation}の(?<name>${HONOURED})${HONORIFIC}`,
    // 妹の結衣は, 娘の美咲が
    `${OWN}{relation}の(?<name>${GIVEN})(?=[はがにとも、。]|$)`,
    // 犬のポチが
    `${OWN}(?<relation>猫|犬|うさぎ)の(?<name>[\\p{Script=Katakana}ー]{2,6})(?=[はがにとも、。]|$)`,
    // 妹の名前は結衣です
    `${OWN}{relation}の名前は(?<name>[\\p{Script=Han}\\p{Script=Katakana}ー]{1,5}|\\p{Script=Hiragana}{2,3}?)(?=[、。]|です|だ|と|$)`,
    // 妻は恵子といいます
    `${OWN}{relation}は(?<name>${GIVEN})と(?:いいます|申します)`,
    // 田中さんは私の隣人です
    `(?:^|[、。\\s])(?<name>${HONOURED})${HONORIFIC}は(?:私|僕|俺|うち)の{relation}(?=です|だ|で|[、。]|$)`,
    // タマという猫
    '{name}という(?:名前の)?{relation}(?![\\p{Script=Han}])',
  ],
  // Who is called san may be a customer, or Santa.
  spokenOf: [],
  spokenTo: [
    '(?:私|僕|俺)(?:の名前)?は{name}(?=です|だ|といい|と申|[、。]|$)',
    `{name}${HONORIFIC}?、(?:こんにちは|こんばんは|おはよう|ありがとう|おやすみ)`,
  ],
};

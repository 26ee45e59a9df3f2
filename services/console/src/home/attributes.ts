import type { Language } from '../i18n/languages.ts';
import { type Memory, splitId, toEditable } from '../memories/memory.ts';

const en = {
  name: 'Name',
  pronouns: 'Pronouns',
  age: 'Age',
  birthday: 'Birthday',
  city: 'Lives in',
  hometown: 'Home town',
  country: 'Country',
  address: 'Address',
  job: 'Work',
  employer: 'Works at',
  email: 'E-mail',
  phone: 'Phone',
  native_language: 'First language',
  time_zone: 'Time zone',
  favourite_animal: 'Favourite animal',
  favourite_book: 'Favourite book',
  favourite_colour: 'Favourite colour',
  favourite_film: 'Favourite film',
  favourite_food: 'Favourite food',
  favourite_season: 'Favourite season',
  favourite_song: 'Favourite song',
} as const;
type Labels = Readonly<Record<keyof typeof en, string>>;

const zh: Labels = {
  name: '姓名',
  pronouns: '人称',
  age: '年龄',
  birthday: '生日',
  city: '住在',
  hometown: '家乡',
  country: '国家',
  address: '地址',
  job: '工作',
  employer: '任职于',
  email: '电子邮箱',
  phone: '电话',
  native_language: '母语',
  time_zone: '时区',
  favourite_animal: '最喜欢的动物',
  favourite_book: '最喜欢的书',
  favourite_colour: '最喜欢的颜色',
  favourite_film: '最喜欢的电影',
  favourite_food: '最喜欢的食物',
  favourite_season: '最喜欢的季节',
  favourite_song: '最喜欢的歌',
};

const ja: Labels = {
  name: '名前',
  pronouns: '代名詞',
  age: '年齢',
  birthday: '誕生日',
  city: '住まい',
  hometown: '出身地',
  country: '国',
  address: '住所',
  job: '仕事',
  employer: '勤め先',
  email: 'メール',
  phone: '電話',
  native_language: '母語',
  time_zone: '時間帯',
  favourite_animal: '好きな動物',
  favourite_book: '好きな本',
  favourite_colour: '好きな色',
  favourite_film: '好きな映画',
  favourite_food: '好きな食べ物',
  favourite_season: '好きな季節',
  favourite_song: '好きな歌',
};

const labels: Readonly<Record<Language, Labels>> = { en, zh, ja };
const separators: Readonly<Record<Language, string>> = { en: ': ', zh: '：', ja: '：' };
const isKnown = (key: string): key is keyof Labels => Object.hasOwn(en, key);

/** A value of the profile with what it is, in the reader's language; under keys that only a store knows as the store writes it. */
export function toProfileLine(memory: Memory, language: Language): string {
  const { kind, own } = splitId(memory.id);
  if (kind !== 'fact' || !isKnown(own)) return memory.text;
  return `${labels[language][own]}${separators[language]}${toEditable(memory)}`;
}

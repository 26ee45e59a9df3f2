/**
 * Attributes of a person by their keys, and the words in which people speak and ask of them where the key has others: a search for
 * one of them finds the value. English before Chinese.
 */
const attributes: readonly (readonly [keys: string, words: string])[] = [
  ['name full_name nickname preferred_name 姓名 名字', 'called name nickname 叫 名字 姓名 称呼'],
  [
    'city location residence home_city country 城市 居住地',
    'live living lives home city town place based 住 住在 居住 城市 哪里 哪儿',
  ],
  ['hometown home_town birthplace 家乡 老家', 'born grew raised native 家乡 老家 出生 哪里人'],
  ['address home_address 地址 住址', 'live street house 地址 住址 住在'],
  ['age 年龄', 'old age years 多大 几岁 岁 岁数 年龄 年纪'],
  ['birthday birth_date birthdate date_of_birth 生日 出生日期', 'born birthday birth 生日 出生 哪天'],
  [
    'job occupation profession job_title position 职业 工作',
    'work job living occupation profession 工作 职业 做什么 从事',
  ],
  ['employer workplace company 公司 单位', 'work working company employer job 公司 单位 上班 工作 哪里'],
  ['email e_mail email_address 邮箱', 'email mail address contact write 邮箱 邮件 联系'],
  ['phone phone_number mobile 电话 手机', 'phone number call reach contact 电话 手机 号码 联系'],
  ['pronouns gender 性别', 'pronouns gender address 性别 称呼'],
  ['native_language mother_tongue first_language 母语', 'speak language tongue 语言 母语 说'],
  ['time_zone timezone 时区', 'time zone clock 时区 时间'],
  ['spouse partner husband wife 配偶', 'married partner spouse husband wife 结婚 配偶 爱人 老公 老婆'],
  ['diet allergy allergies 过敏 忌口', 'eat food allergic diet 吃 过敏 忌口'],
];

const wordsByKey = new Map(attributes.flatMap(([keys, words]) => keys.split(' ').map((key) => [key, words] as const)));

/** The words in which people ask of an attribute; what it likes best is asked of by its thing, which the key has. */
export function toAttributeWords(key: string): string {
  const plain = key
    .toLowerCase()
    .replace(/[\s.-]+/gu, '_')
    .replace(/^(?:user|my|current|home)_(?=.)/u, '');
  const favourite = /^fav(?:ou?rite)?_(?<thing>.+)$/u.exec(plain)?.groups?.['thing'];
  if (favourite !== undefined) return `favourite favorite like best 喜欢 最喜欢 ${favourite.replaceAll('_', ' ')}`;
  return wordsByKey.get(plain) ?? '';
}

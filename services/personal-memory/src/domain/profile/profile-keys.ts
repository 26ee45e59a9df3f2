/** Keys that mean the same: when two have different values, one is outdated or wrong. */
const synonyms: readonly string[] = [
  'city location residence home_city place_of_residence lives_in live_in 城市 居住地 所在城市 所在地 现居地 常住地 居住城市',
  'workplace employer company works_at work_at works_for 工作单位 公司 单位 雇主',
  'job occupation profession job_title position 职业 职位 工作',
  'birthday birth_date birthdate date_of_birth dob 生日 出生日期',
  'name full_name 姓名 名字',
  'nickname preferred_name 昵称 小名',
  'phone phone_number mobile mobile_number telephone 电话 手机 手机号 电话号码',
  'email e_mail email_address mail 邮箱 电子邮件 邮件地址',
  'address home_address street_address 地址 住址 家庭住址',
  'favorite_food fav_food 最喜欢的食物 最爱吃的',
  'spouse partner 配偶 伴侣',
  'native_language mother_tongue first_language 母语',
  'gender sex 性别',
  'hometown home_town 家乡 老家 籍贯',
  'timezone time_zone 时区',
  'allergy allergies 过敏 过敏原',
  'diet dietary_restriction dietary_restrictions 饮食禁忌 忌口',
];

const groupOf = new Map(
  synonyms.flatMap((line, group) => line.split(' ').map((key): [string, number] => [key, group])),
);

/** The normal form of a key: `Home City`, `home-city` and `current_home_city` have the same. */
function normalizeKey(key: string): string {
  const plain = key
    .toLowerCase()
    .replace(/[\s_.-]+/g, '_')
    .replaceAll('favourite', 'favorite');
  return plain.replace(/^(?:user|my|current|present)_/, '');
}

/** Builds the test whether another key means the same thing about the user. */
export function createMeansTheSame(key: string): (other: string) => boolean {
  const own = normalizeKey(key);
  const group = groupOf.get(own);
  return (other) => {
    if (other === key) return false;
    const normalized = normalizeKey(other);
    return normalized === own || (group !== undefined && group === groupOf.get(normalized));
  };
}

/** The text by which an attribute is found. */
export function toProfileText({
  key,
  value,
  tags = [],
}: {
  readonly key: string;
  readonly value: string;
  readonly tags?: readonly string[] | undefined;
}): string {
  return [key.replace(/[_.-]+/g, ' '), value, ...tags].join(' ');
}

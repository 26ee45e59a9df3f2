/** An attribute that a person has one of, and how a sentence about it begins; lower case, followed by the value. */
export interface ProfileAttribute {
  readonly key: string;
  readonly said: readonly string[];
}

const is = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`my ${name} is `, `my ${name}: `]);
const shi = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`我的${name}是`, `我的${name}:`, `我${name}是`]);

/** The attributes that are recognised without being named. Keys are those of personal memory's profile. */
export const profileAttributes: readonly ProfileAttribute[] = [
  { key: 'name', said: [...is('name', 'full name'), "my name's ", '我的名字叫', '我叫', ...shi('名字')] },
  {
    key: 'city',
    said: [
      ...['i live in ', 'i now live in ', "i'm living in ", 'i moved to ', "i've moved to ", 'i have moved to '],
      ...is('city', 'home town', 'hometown'),
      ...['我住在', '我现在住在', '我搬到了', '我搬到', ...shi('城市', '家乡')],
    ],
  },
  { key: 'address', said: [...is('address', 'home address'), ...shi('地址', '住址')] },
  {
    key: 'job',
    said: [
      'i work as a ',
      'i work as an ',
      'i work as ',
      ...is('job', 'occupation', 'profession'),
      ...shi('工作', '职业'),
    ],
  },
  { key: 'employer', said: ['i work at ', 'i work for ', ...is('employer', 'company'), ...shi('公司', '单位')] },
  { key: 'birthday', said: ['i was born on ', ...is('birthday', 'date of birth'), '我出生于', ...shi('生日')] },
  { key: 'age', said: [...is('age'), ...shi('年龄')] },
  { key: 'email', said: [...is('email', 'e-mail', 'email address'), ...shi('邮箱', '电子邮件')] },
  { key: 'phone', said: [...is('phone', 'phone number', 'mobile'), ...shi('电话', '手机', '手机号')] },
  { key: 'pronouns', said: ['my pronouns are ', ...is('pronouns')] },
  { key: 'native_language', said: [...is('native language', 'mother tongue'), ...shi('母语')] },
  { key: 'time_zone', said: [...is('time zone', 'timezone'), ...shi('时区')] },
  ...['colour', 'color', 'food', 'drink', 'book', 'film', 'movie', 'song', 'season', 'animal', 'sport'].map(
    (thing) => ({
      key: `favourite_${thing === 'color' ? 'colour' : thing === 'movie' ? 'film' : thing}`,
      said: is(`favourite ${thing}`, `favorite ${thing}`),
    }),
  ),
  ...[
    ['颜色', 'favourite_colour'],
    ['食物', 'favourite_food'],
    ['书', 'favourite_book'],
    ['电影', 'favourite_film'],
    ['季节', 'favourite_season'],
    ['动物', 'favourite_animal'],
  ].map(([thing = '', key = '']) => ({ key, said: [`我最喜欢的${thing}是`] })),
];

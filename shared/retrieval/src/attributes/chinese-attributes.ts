import { type Attribute, onlySame, type ReadValue } from './attribute.ts';
import * as chinese from './chinese-values.ts';
import * as exact from './exact-values.ts';

/** Sentences about one attribute. */
const begin = (key: string, opening: string, read: ReadValue): Attribute => ({
  key,
  read,
  opening: new RegExp(`^(?:${opening}) ?`, 'u'),
});

/** 我的城市是, 我现在的城市：. */
const my = (key: string, names: string, read: ReadValue): Attribute =>
  begin(key, `我(?:现在|目前)?的?(?:${names})(?:就?是|叫做?|为|: ?)`, read);

const NOW = '(?:现在|目前|如今|今年|已经|刚满|刚刚?)*';

/** 和父母一起. */
const WITH =
  '(?:[和跟与](?:我的?)?(?:父母|爸妈|爸爸|妈妈|家人|老婆|老公|妻子|丈夫|爱人|女朋友|男朋友|女友|男友|孩子|儿子|女儿|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|室友|朋友|同学|同事)(?:一起|一块)?)?';

/** What Chinese sentences say of the user. */
export const chineseAttributes: readonly Attribute[] = [
  begin('name', '我的?(?:名字|全名)叫做?', chinese.readChineseNoun),
  my('name', '名字|全名|姓名', chinese.readChineseName),
  begin('name', '我名?叫(?:做|作)?', chinese.readChineseName),
  begin('city', `我家?${NOW}${WITH}(?:常住|定居|居住|住)在?`, chinese.readChineseHome),
  begin('city', `我${NOW}${WITH}在(?=.{2,12}(?:住|生活|居住))`, chinese.readChineseHomeBefore),
  begin(
    'city',
    `我(?:\\d{4}年|[去前今]年|上个?月|最近|刚刚?|现在)?(?:已经)?搬(?:到|去|来)了?`,
    chinese.readChineseHome,
  ),
  my('city', '城市|所在的?城市', chinese.readChineseTown),
  begin('hometown', '我的?(?:家乡|老家)(?:是|在|: ?)|我来自', onlySame(chinese.readChineseTown)),
  my('address', '地址|住址|家庭住址', exact.readAddress),
  begin('job', `我${NOW}是(?:一名|一位|一个|名|位|个)?`, chinese.readChineseJob),
  my('job', '职业|工作', chinese.readChineseJob),
  begin('job', `我${NOW}(?:当|做|从事|担任)(?:一名|一位|一个|名|位|个)?`, chinese.readChineseWork),
  begin('employer', '我的?(?:公司|单位)(?:名字?)?(?:叫做?|: ?)', chinese.readChineseThing),
  begin('employer', `我${NOW}(?:就职|任职|供职)[于在]`, chinese.readChineseEmployer),
  begin('employer', `我${NOW}在(?=.{2,20}(?:工作|上班)$)`, chinese.readChineseWorkplace),
  begin(
    'birthday',
    '我(?:的生日|的出生日期|生日|出生日期)(?:是|: ?)|我(?:出生|生)于|我(?=\\d{4}年.{2,12}生$)',
    chinese.readChineseBirthday,
  ),
  my('age', '年龄', chinese.readChineseAge),
  begin('age', `我${NOW}`, chinese.readChineseAge),
  my('email', '电子邮箱|电子邮件|邮箱|邮箱地址', exact.readEmail),
  my('phone', '电话|手机|手机号码?|电话号码', exact.readPhone),
  my('native_language', '母语', chinese.readChineseLanguage),
  my('time_zone', '时区', exact.readTimeZone),
  my('favourite_colour', '最喜欢的颜色', chinese.readChineseColour),
  my('favourite_season', '最喜欢的季节', chinese.readChineseSeason),
  my('favourite_book', '最喜欢的书', chinese.readChineseTitle),
  my('favourite_film', '最喜欢的电影', chinese.readChineseTitle),
  my('favourite_food', '最喜欢的食物', chinese.readChineseThing),
  my('favourite_animal', '最喜欢的动物', chinese.readChineseNoun),
];

import { anchor, type Rule } from './rule.ts';
import { chinese } from './zh-words.ts';

const AT_HAND = '(?!你|您|这|那|它|上了?你|死|的$|啊|呀|哦|吗|$)';
const preference: readonly Rule[] = [
  {
    kind: 'preference',
    importance: anchor.lasting,
    said: chinese(
      `(喜欢|喜爱|热爱|爱(?!人|情|好是)|讨厌|痛恨|厌恶|反感|偏爱|钟爱|酷爱|迷上了?|沉迷于?|着迷于?|爱上了?|离不开|受不了|怕|害怕|恐)${AT_HAND}…`,
      '(恐高|怕黑|怕水|怕狗|怕辣|怕冷|怕热|社恐|晕车|晕船)',
      '对.{1,12}(感兴趣|着迷|有兴趣|情有独钟|上瘾|痴迷|无感)',
      '是.{0,3}(一?个)?.{1,10}(迷|粉丝?|控|爱好者|铁粉|发烧友|党)$',
      '(我们?的?)?(最爱|爱好|兴趣)(是|有)…',
      '(吃|喝|看|住|用)(不|得)惯',
      '(习惯|宁愿|宁可|更愿意)(?!了$)…',
    ),
    unless: /^怕(?:是|你|您|不|什么|万一)|^爱(?:你|谁谁)|^受不了了?$/u,
    denied: anchor.lasting,
  },
  {
    kind: 'preference',
    importance: anchor.lasting,
    of: ['thing'],
    said: chinese('.{1,12}是我们?(最|的|一直).{0,5}(爱|爱好|梦想|喜欢|骄傲|动力)'),
  },
  {
    kind: 'preference',
    importance: anchor.feeling,
    said: chinese('(喜欢|爱|讨厌|受不了|怕)(你|您|这|那|它)'),
    denied: anchor.feeling,
  },
];

const relation: readonly Rule[] = [
  {
    kind: 'relation',
    importance: anchor.lasting,
    said: chinese(
      '有{a}.{0,5}{kin}',
      '(养|领养|收养|捡|买|救)(了|过|着|有)?{a}.{0,4}{pet}',
      '(单身|已婚|未婚|离异|丧偶|有对象|谈(了|着)?.{0,2}恋爱|交往|和.{1,8}在一起|跟.{1,8}在一起|相亲)',
      '(和|跟).{1,10}(认识|交往|结婚|在一起|同居)(了)?.{0,3}{number}(年|个月)',
      '(认识|结婚|离婚|恋爱|交往|在一起|分手)(了|有|快)*{number}(多|几)?(年|个月)',
      '是(我们?的?|他的?|她的?)?.{0,3}{kin}$',
      '是{kin}.{0,4}(养|带)大',
    ),
    unless: /^有.{0,3}(?:老师说|同学说)|^(?:买|捡).{0,4}(?:玩具|毛绒)/u,
    denied: anchor.lasting,
  },
  {
    kind: 'relation',
    importance: anchor.goal,
    of: ['kin'],
    said: chinese(
      '(是|有|在|今年|明年|喜欢|爱|会|住|上(?!来)|读|教|养|开(?!玩笑)|做|当|学|考|工作|生日|{number}岁|快|刚上|长)…',
    ),
    unless: /^(?:做的|说的|在(?:吗|哪|家$|睡|吃饭)|会(?:来|去|的)|是(?:不是|谁|很|挺))/u,
  },
  {
    kind: 'relation',
    importance: anchor.dated,
    said: chinese('有{a}.{0,5}{circle}', '是(我们?的?|他的?|她的?)?.{0,3}{circle}$'),
  },
  {
    kind: 'relation',
    importance: anchor.lasting,
    of: ['kin'],
    said: chinese('(名字)?叫(?!我|你|他|她|了|外卖)\\S{1,8}$'),
  },
];

const identity: readonly Rule[] = [
  {
    kind: 'identity',
    importance: anchor.lasting,
    said: chinese(
      '(叫|姓|名叫|大名|小名叫)(?!了|他|她|你|我|外卖|车|滴滴|醒|不|好|做|什么|苦|人|住|作)\\S{1,6}$',
      '是.{0,3}(人|族)$',
      '(属|是)(鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪|[白双金天射摩水巨狮处]\\S座)的?$',
      '.{0,3}{number}岁',
      '(我们?的?)(名字|姓|生日|电话|手机号|微信|地址|老家|家乡|星座|血型|身高|体重|年龄|邮箱|英文名)(是|在|叫|：|还是)…',
      '(住|生活|定居|家)在(?!一起|意|乎)…',
      '(来自|出生在|出生于|生于|毕业于)…',
      '(从小)?在.{1,10}(长大|出生|定居)',
      '(老家|家乡|祖籍)(是|在)…',
      '(信佛|信教|信基督|信仰)',
    ),
    unless: /^是.{0,3}(?:好人|大人|什么人|一个人|别人|两个人|自己人|男人|女人)$/u,
  },
  {
    kind: 'identity',
    importance: anchor.goal,
    said: chinese(
      '(是|当|做)(了)?(一?(个|名|位))?.{0,8}{occupation}$',
      '(是|当|做)(了)?.{0,8}{occupation}(了|的|，)',
      '(从事|负责|主修|攻读|研究|专攻)…',
      '在.{1,12}(工作|上班|上学|读书|读研|读博|教书|实习|打工|任职|创业|念书)',
      '(上|读|念)(小学|初中|高中|大学|大[一二三四]|研[一二三]|博士|本科|研究生)',
      '(我们?的?)(工作|职业|专业|目标|梦想|理想|愿望|计划)(是|在)…',
      '(会|能)(弹|拉|吹|说(?!话|好|的|不)|讲(?!的|话)|写(?!的)|画|跳|游泳|开车|做饭|编程|踢|打(?!算|扰|电话)|唱|做(?!的|到|好))…',
      '(弹|拉|学|练|打|踢|跳|画|写)(了|过|着)?.{0,8}(钢琴|吉他|小提琴|古筝|二胡|书法|日语|英语|法语|德语|韩语|西班牙语|编程|游泳|瑜伽|舞|画|油画|水彩|太极|篮球|足球|羽毛球|乒乓球|网球|小说|博客)',
      '(擅长|精通|坚持|收藏|收集)…',
      '(跑步|健身|冥想|画画|写日记|遛狗|骑车|骑行|爬山|钓鱼|游泳|打坐|晨跑)$',
    ),
    unless: /^会(?:说|做|写)(?:的|到|好)/u,
    denied: anchor.ordinary,
  },
];

/** Chinese statements whose truth lasts: preferences, relations, who somebody is. */
export const lastingRules: readonly Rule[] = [...preference, ...relation, ...identity];

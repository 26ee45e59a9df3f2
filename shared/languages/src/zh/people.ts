import type { PeopleWords } from '../people-words.ts';

/** Family names that are hardly ever the end or the beginning of another word. */
const FAMILY =
  '[王李张刘陈杨黄赵吴周徐孙朱胡郭林罗郑梁宋唐韩冯邓曹彭肖董袁潘蒋蔡杜苏魏吕丁沈姚卢姜崔谭汪廖贾韦邹孟秦邱尹薛闫侯陶黎贺郝龚邵]';
/** What stands before a family name where it counts or tells a time: 一张, 上周. */
const NO_COUNT = '(?<![上下这那本每一二三四五六七八九十两几半])';
const TITLE = '(?:姐|哥|总|老师|阿姨|叔叔|叔|医生|大夫|律师|教授|经理|师傅|婶|嫂|奶奶|爷爷)';
/** 秦姐, 王老师; 老蒋, 小李; 阿澄. */
const TITLED = `${NO_COUNT}${FAMILY}${TITLE}`;
const PREFIXED = `(?<![古衰苍年大变])(?:老|小)${FAMILY}`;
const CALLED_A = '阿[^\\P{Script=Han}姨里拉根尔婆公妈胶司富门弥哥妹爸嬷伯斯甘凡莫奇迪联卡波森]';
const ADDRESS = `(?:${TITLED}|${PREFIXED}|${CALLED_A})`;

/** What goes on after a name in a sentence about somebody. */
const GOES_ON =
  '今天|今年|今早|昨天|昨晚|前天|明天|上个|上周|上月|下周|最近|刚刚|刚才|已经|正在|突然|特别|非常|每天|每周|一直|经常|现在|现|在|很|也|和|跟|说|是|都|又|要|想|让|把|被|给|带|送|问|叫|去|来|考|搬|打|做|帮|请|还|就|没|不|太|嫌|觉得|喜欢|负责|告诉|的';
const ENDS = '[，。！？、；,.!?\\s”"）)]|$';
const FOLLOWS = `(?=${ENDS}|今|在|了|很|也|和|说|是|都|又)`;

const DOUBLED = [...'豆团圆乐果婷丽芳娜甜丫萌萱妞蕾露莉琳莹玲珊晶佳欣彤瑶琪琦涵轩洋涛强军伟磊鹏宝糖米朵妮安']
  .map((one) => one + one)
  .join('|');
const NOT_SMALL = '学时心声说气便孩狗猫区店吃腿手脚路名看于妹弟姐哥组型公产贩费票';
/** Names that may follow what somebody is: with a family name, small or doubled. */
const FULL = `${FAMILY}\\p{Script=Han}{1,2}?|小[^\\P{Script=Han}${NOT_SMALL}]|${DOUBLED}`;

/** How Chinese names people. */
export const people: PeopleWords = {
  relations: {
    son: '儿子',
    daughter: '女儿|闺女',
    child: '孩子|宝宝|娃',
    mother: '妈妈|母亲|老妈',
    father: '爸爸|父亲|老爸',
    sister: '姐姐|妹妹',
    brother: '哥哥|弟弟',
    wife: '妻子|老婆|太太',
    husband: '丈夫|老公',
    partner: '女朋友|男朋友|女友|男友|对象',
    friend: '朋友|闺蜜|室友|(?:大学|高中|初中|小学)?同学|死党|发小',
    colleague: '同事|老板娘|老板|领导|上司',
    person: '人|女人|男人|女士|先生|姑娘|小伙子|房东|老师|教练|医生',
    neighbour: '邻居',
    relative:
      '奶奶|爷爷|外婆|外公|姥姥|姥爷|姑姑|舅舅|叔叔|阿姨|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹|侄子|侄女|外甥|外甥女',
    pet: '狗狗|猫咪|小猫|小狗|猫|狗|兔子|仓鼠|鹦鹉',
  },
  name: '(?:\\p{Script=Han}{2,3}?|\\p{Lu}\\p{Ll}{1,20})',
  noNames:
    '什么|她的|他的|我们|他们|她们|自己|这个|那个|一个|出来|起来|过来|不是|就是|大家|人家|救命|外卖|车来|张[嘴开口罗望贴].?|孙[子女].?|胡[说闹思].?|苏[州醒].?|郑[州重].?|周[一二三四五六日末天围边到岁年].?|黄[色昏金河牛豆瓜油山狗].?|林子.?|王[子牌者国].?|李子.?|陈[述旧皮醋].?|杜绝.?|陶醉.?|唐突.?|董事.?|罗[列马].?|贺喜.?|丁点.?|姜汤.?|杨[树梅].?|梁上.?|朱红.?|徐徐.?|吴语.?|韩[国语剧].?|宋体.?',
  speakers: '用户|客服|顾客|匿名|主持人|嘉宾|发言人|群主|管理员|系统|未知',
  sentences: [
    // 我们老板张总, 邻居李阿姨, 我室友阿澄, 跟阿澄合租，大学同学
    `{relation}(?<name>${TITLED}|${PREFIXED}(?=${ENDS}|${GOES_ON})|${CALLED_A}(?=${ENDS}|${GOES_ON}))`,
    // 我姐姐林芳上个月, 我儿子豆豆今年
    `(?:我|我们|咱们?)(?:家|的)?(?:[大小亲])?{relation}(?<name>${FULL})(?=${GOES_ON}|[，。！？、；,.!?]|吵架|$)`,
    // 我儿子叫小明, 我最好的朋友是李娜
    `我(?:们)?家?的?(?:最?好的?|大|小|亲)?{relation}(?:的?名字)?(?:叫做?|名叫){name}${FOLLOWS}`,
    `我(?:们)?家?的?(?:最?好的?|大|小|亲)?{relation}(?:就?是)(?<name>${ADDRESS}|${FAMILY}\\p{Script=Han}{1,2})(?=${ENDS})`,
    // 我养了一只猫叫豆豆
    `(?:只|条|个|位){relation}，?(?:名字)?叫(?:做)?{name}${FOLLOWS}`,
    // 我养了一只猫，名字叫豆豆
    `(?:只|条|个|位){relation}[，。！]{1}[^\\n，。]{0,12}?(?:名字)叫(?:做)?{name}${FOLLOWS}`,
    // 小明是我儿子
    '(?:^|[，。！？、；,.!?\\s]){name}是我(?:的|家)?(?:最?好的?|大|小|亲)?{relation}(?=[，。！？、；,.!?\\s]|$)',
  ],
  spokenOf: [`(?<name>${ADDRESS})(?=${GOES_ON})`, `(?<=[和跟给对找陪替帮]|告诉|(?<!我)叫)(?<name>${ADDRESS})`],
  spokenTo: [
    // 我叫老蒋, 叫我阿澄, 我是王老师
    '我(?:的名字)?(?:叫做?|是){name}',
    '叫我{name}',
    // 阿澄，你在吗; 王老师您好; 谢谢秦姐
    `(?<name>${ADDRESS})(?=[，,！!～~？?]?\\s*(?:你|您|请问|谢谢|晚安|早上好|早安|在吗))`,
    `(?:谢谢|你好|您好|晚安|早安|早上好|再见)[，,！!]?(?<name>${ADDRESS})`,
  ],
};

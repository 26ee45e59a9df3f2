import { anchor, type Rule } from './rule.ts';
import { chinese } from './zh-words.ts';

const plan: readonly Rule[] = [
  {
    kind: 'plan',
    importance: anchor.goal,
    said: chinese(
      '(目标|梦想|理想|愿望|心愿|计划)(是|就是)…',
      '(想|希望|打算|准备|计划|决定|立志|梦想)(着|要|能|去)*(成为|当|做一?(个|名)|开(?!始|心|车|会)|创办|考(?!虑)|学|读|出国|留学|移民|搬|写|出版|换工作|辞职|生|买房|结婚|转行|减肥|戒|养|领养)',
      '(攒钱|存钱|备考|备战|备孕|申请)…',
      '(想|希望|打算|准备|计划|决定).{0,8}(留学|移民|搬家|结婚|考研|创业|买房|辞职|换工作)',
      '(攒|存)(着|了)?.{0,4}钱',
    ),
    unless: /^(?:想|希望).{0,2}学(?:学|到)|^想(?:写|学|读)什么/u,
  },
  {
    kind: 'plan',
    importance: anchor.ordinary,
    datable: true,
    said: chinese(
      '(打算|计划|准备|想去|想要去|决定|希望|要去|要参加|要开始|报了?名|预约|约了|订了|订好|预订|考虑(?!一下|考虑)|期待|想学|想试|想找)…',
      '买(了|好|到).{0,10}票',
      '(高考|中考|考研|出差|开学|比赛|过生日)',
      '有(一?(个|场|次|节))?.{0,4}(考试|面试|会议|会要开|比赛|演出|约会|航班|手术|婚礼|聚会|答辩|预约|课|演唱会)',
    ),
    unless: /^(?:准备|打算)(?:睡|吃饭|下班)|^希望(?:你|您|大家)/u,
    denied: anchor.feeling,
  },
  {
    kind: 'plan',
    importance: anchor.ordinary,
    datable: true,
    tense: ['future'],
    said: chinese('(要|会|将|去|得|飞|出差|回)…'),
    unless:
      /^会(?:的|去的?$|来的?$|儿|考虑|努力|试|尽量|好|想|记|注意|告诉)|^要(?:一[杯份个]|是|不|说|看|睡|走|死|命|的|求)|^得(?:了|到)|^去(?:睡|吃饭)/u,
    denied: anchor.feeling,
  },
];

const event: readonly Rule[] = [
  {
    kind: 'event',
    importance: anchor.dated,
    datable: true,
    tense: ['past'],
    said: chinese(
      '(参加|获得|赢|得|拿|考|完成|通过|买|收到|举办|加入|爬|跑|旅行|旅游|开始|换|写|画|做|看到?|听|学会|参观|报名|演出|认识|遇到|见到?|带.{1,6}去|陪.{1,6}去|请.{1,6}吃|丢|弄丢|打碎|卖)(完|好|到|过|了)…',
    ),
  },
  {
    kind: 'event',
    importance: anchor.ordinary,
    datable: true,
    tense: ['past'],
    said: chinese('.{1,20}[了过]'),
    unless:
      /^[累困饿笑烦热冷吓气急忙]死|^(?:好|对|行|算|够|知道|明白|懂|忘|饿|累|困|死|走|来|是|懂|太.{1,4}|先走|先睡|习惯)[了过]$|^(?:觉得|感觉|好|想)/u,
  },
];

const habit: Rule = {
  kind: 'identity',
  importance: anchor.dated,
  only: 'habit',
  tense: ['present'],
  said: chinese('…'),
};

const feeling: readonly Rule[] = [
  {
    kind: 'feeling',
    importance: anchor.dated,
    said: chinese(
      '(觉得|感到|感觉|快要?|要|情绪)?.{0,4}{strong_feeling}',
      '(想|思念|想念|怀念)(家$|家了|我?的?{kin}|他|她)',
      '(为|替).{1,8}(骄傲|自豪|高兴|难过)',
    ),
    denied: anchor.feeling,
  },
  {
    kind: 'feeling',
    importance: anchor.feeling,
    said: chinese('(觉得|感到|感觉|心情|有)?.{0,5}{feeling}'),
    unless: /忙(?:吗|什么)/u,
    denied: anchor.feeling,
  },
];

const figure: readonly Rule[] = [
  {
    kind: 'figure',
    importance: anchor.ordinary,
    of: ['self', 'kin', 'named', 'thing'],
    said: chinese('.*\\d{3,}', '.*{number}(个人|次|年|公里|斤|公斤|块钱?|元|万|小时|天|本书|集|分|米|厘米|层|平米?)'),
    unless: /一次|一天到晚|两天|几次|几天/u,
  },
];

/** Chinese statements about days: plans, events, feelings, numbers. */
export const dailyRules: readonly Rule[] = [...plan, ...event, habit, ...feeling, ...figure];

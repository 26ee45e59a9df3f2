import { anchor, type Rule } from './rule.ts';
import { chinese } from './zh-words.ts';

const grave: readonly Rule[] = [
  {
    kind: 'safety',
    importance: anchor.life,
    said: chinese(
      '(想|要|想要|打算|想过)(去)?(自杀|轻生|寻死|死(?!你|我|他|机|了你)|结束(自己的?)?生命)',
      '(活|撑)不下去',
      '(自残|自杀|割腕|轻生)',
      '被.{0,4}(打了?$|家暴|虐待|跟踪|威胁|抢劫?|性侵|骚扰|霸凌|绑架)',
      '(家暴|殴打|跟踪|威胁|打)我',
    ),
    unless: /(?:笑|累|饿|困|热|烦|吓|气)死|打我(?:电话|手机)/u,
  },
  { kind: 'safety', importance: anchor.passing, said: chinese('想活'), denied: anchor.life },
  {
    kind: 'life',
    importance: anchor.life,
    said: chinese(
      '(.{0,5}(要|打算|准备|跟.{1,4}|和.{1,4}))?(结婚|领证|订婚|离婚|分居|分手|求婚)(?!照|纪念|礼物|戒指|典礼|那天|率|了?(有|快)?{number}(多|几)?(年|个月))',
      '(去世|过世|离世|病逝|逝世|牺牲|猝死)',
      '(怀孕|怀上|备孕|流产|要当(爸爸?|妈妈?))',
      '生(了|下)?(一?(个|对))?(孩子|宝宝|女儿|儿子|双胞胎|娃|男孩|女孩)',
      '(领养|收养)了?.{0,4}(孩子|宝宝|女儿|儿子|女孩|男孩)',
      '(被.{0,6}(裁|开除|辞退|解雇|解聘)|失业|丢了?工作|失去了?工作)',
      '(退休|退伍|出柜|破产|入狱|被捕)',
      '(出|遇到|遭遇)了?车祸',
    ),
    unless: /手机|电脑|电池|信号|游戏/u,
  },
  { kind: 'life', importance: anchor.life, of: ['kin'], said: chinese('死(了|掉)') },
  {
    kind: 'life',
    importance: anchor.grave,
    said: chinese(
      '从.{1,8}(毕业|辞职|离职|搬)',
      '(毕业|考上|被.{1,10}录取|录取)',
      '(升职|转正|入职|辞职|离职|跳槽|换了?(个|份)?工作|找到.{0,6}工作|拿到.{0,10}(offer|录取|工作))',
      '(搬(家|到|去|回|进|来|出)|移民|定居|出国|留学)',
      '(买|贷款买)了?.{0,6}(房子?|公寓|新家)(?![租卡])',
      '(创业|创办|开了.{0,6}(公司|店|餐厅|餐馆|咖啡馆|咖啡店|工作室|诊所))',
    ),
    unless: /^买.{0,6}房间/u,
  },
];

const health: readonly Rule[] = [
  {
    kind: 'health',
    importance: anchor.grave,
    said: chinese(
      '(对|吃|一吃|碰).{1,10}(过敏|不耐受)',
      '.{0,6}过敏(?!性格)',
      '(得了?|患了?有?|有|查出来?|检查出来?|确诊了?为?是?|被(诊断|查)(出|为|出来)?|是).{0,4}{condition}',
      '.{0,4}不耐受',
      '.{0,3}(听不见|看不见)$',
      '(住院|住进(了)?医院|病危|瘫痪|化疗|透析)',
      '(做|动)(了|过|完)?.{0,6}手术',
      '(吃|服用?|用|打|停)(着|了|过)?.{0,6}(药|胰岛素)(?!店)',
    ),
    unless: /吃错药|后悔药/u,
    denied: anchor.ordinary,
  },
  {
    kind: 'health',
    importance: anchor.lasting,
    said: chinese(
      '.{0,4}(骨折|扭伤|扭到|崴了|摔伤|拉伤|受伤|摔断)',
      '(吃素|是素食|素食|戒(了|掉)?(烟|酒|糖|咖啡|$)|戒烟|戒酒|备孕)',
      '有.{0,2}(恐高症|洁癖|强迫症|拖延症|恐惧症)',
      '(看了?|咨询了?|去看).{0,4}(医生|心理医生|心理咨询)',
      '(胃|心脏|腰|膝盖|颈椎|眼睛|血压|血糖|睡眠|身体).{0,3}(不好|有问题|偏高|偏低|出了?问题)',
    ),
  },
  {
    kind: 'preference',
    importance: anchor.ordinary,
    tense: ['present'],
    said: chinese(
      '(能)?(吃|喝|抽|碰|沾)(得了)?.{0,2}(肉|海鲜|辣|香菜|酒|烟|牛奶|咖啡|甜|糖|葱|蒜|姜|生冷|鱼|虾|茶|奶|榴莲|内脏|油腻|冰)',
    ),
    denied: anchor.lasting,
  },
  {
    kind: 'health',
    importance: anchor.ordinary,
    datable: true,
    said: chinese('.{0,4}(感冒|发烧|咳嗽|头疼|头痛|头晕|牙疼|肚子疼|拉肚子|胃疼|嗓子疼|中暑|不舒服|失眠|生病|病了)'),
  },
];

/** Chinese statements about what endangers a life, what changes it, and health. */
export const graveRules: readonly Rule[] = [...grave, ...health];

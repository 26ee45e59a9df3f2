import { anyOf, createPhrases } from './phrases.ts';

/** People and pets that belong to somebody. */
export const KIN =
  anyOf(`妈妈?咪? 爸爸?比? 爹 娘 父母 父亲 母亲 双亲 爷爷 奶奶 外公 外婆 姥姥 姥爷 祖父 祖母 哥哥? 姐姐? 弟弟? 妹妹? 兄弟 姐妹 儿子 女儿
  孩子们? 小孩 宝宝 娃 闺女 老公 老婆 丈夫 妻子 爱人 先生 太太 男朋友 女朋友 男友 女友 前男友 前女友 未婚夫 未婚妻 对象 叔叔 阿姨 舅舅 姑姑 姨妈
  表[哥姐弟妹] 堂[哥姐弟妹] 侄子 侄女 外甥女? 孙子 孙女 家人 家里人 闺蜜 好朋友们? 公公 婆婆
  岳父 岳母 双胞胎 狗狗? 猫猫?咪? 小[狗猫] 猫咪 宠物 兔子 仓鼠 鹦鹉 金毛 柯基 哈士奇 布偶`);
/** People around somebody who are not theirs. */
export const CIRCLE = anyOf('朋友们? 室友 舍友 同学们? 同事们? 老板 领导 老师 导师 教练 邻居 房东 客户 学生 队友');
/** Pets, as they follow a number. */
export const PET = anyOf('狗狗? 猫猫?咪? 小[狗猫] 猫咪 宠物 兔子 仓鼠 鹦鹉 乌龟 金鱼 金毛 柯基 哈士奇 布偶猫? 橘猫');

const NUMBER = '[\\d一二两三四五六七八九十百千万几半]+';
const TIME =
  anyOf(`今天 昨天 前天 明天 后天 大后天 今晚 昨晚 明晚 今早 昨晚上 上午 下午 早上 晚上 中午 上上?个?(?:周末?|月|星期|礼拜)[一二三四五六日天末]?
  下下?个?(?:周末?|月|星期|礼拜)[一二三四五六日天末]? 这个?(?:周末?|月|星期|礼拜)[一二三四五六日天末]? 周[一二三四五六日天末] 星期[一二三四五六日天] 去年 今年 明年
  前年 后年 (?:19|20)\\d\\d年 ${NUMBER}月(?:${NUMBER}[日号])?份? ${NUMBER}[日号] ${NUMBER}点(?:半|钟|${NUMBER}分)? ${NUMBER}(?:年|个?月|个?星期|周|天)(?:以?前|后|以后) 年底 年初 月底 月初
  暑假 寒假 春节 国庆节? 中秋节? 元旦 圣诞节? 过年 (?:春|夏|秋|冬)天`);
/** Words that say on which day, in which week or year. */
export const DATE = new RegExp(TIME, 'u');

/** Words that say that something happens again and again. */
export const HABIT = /每(?:天|周|年|个?(?:周末|星期|月|晚上|早上)|日)|经常|常常|坚持/u;

/** What stands before the subject or in a verb group and changes nothing of its kind. */
export const ADVERB =
  anyOf(`也 都 就 还是 还 已经 刚刚?才? 一直 一向 真的? 非常 特别 特 最 很 挺 比较 有一?点儿? 又 再 才 只 总是 总 常常 经常 平时 每天 每周
  每年 每个?(?:周末|星期|月|晚上|早上) 从小就? 小时候 其实 现在 最近 当时 那时候? 曾经 以前 之前 后来 完全 实在 超级? 蛮 好 太 更 尤其 确实 终于 突然
  正在 正(?!常|式|好|宗) 在(?=坚持|学|练|准备|努力|考虑|写|吃|找|等) 可能 大概 应该 当然 一般 通常 主要 自己 不小心 ${TIME}`);
/** Words that begin a sentence before its subject. */
export const LEAD =
  anyOf(`嗯+ 哦+ 噢 啊+ 哎呀? 唉 哈+ 嘿 对了 是的 是啊 没错 不过 但是? 可是 所以 因为 而且 然后 另外 还有 说实话 老实说 坦白说 总之 最后 果然
  也许 或许 如今 其实 现在 最近 以前 之前 后来 平时 小时候 当时 可能 终于 突然 话说 不瞒你说 告诉你 跟你说 你知道吗 听说 幸好 可惜 好消息是 请?(?:你|千万)?(?:记住|记得|记着|别忘了) 千万 ${TIME}`);

/** Feelings, those that pass and those that weigh. */
export const FEELING =
  anyOf(`开心 高兴 快乐 兴奋 激动 感动 感激 放松 满足 期待 骄傲 自豪 幸福 欣慰 紧张 担心 焦虑 着急 累 疲惫 困 难过 伤心 生气 烦 郁闷 失望 沮丧
  害怕 孤单 无聊 尴尬 后悔 内疚 委屈 压力(?:很|好|挺|特别|非常)?大 压力 想哭 不舒服 心疼 感慨 迷茫 纠结 忙`);
export const STRONG_FEELING = anyOf('崩溃 绝望 抑郁 痛苦 心碎 孤独 活不下去 撑不下去 受不了 喘不过气 睡不着觉? 失眠');
const CONDITION =
  anyOf(`糖尿病 高血压 低血糖 心脏病 癌症? [胃肺肝乳肠]腺?癌 哮喘 抑郁症? 焦虑症? 失眠症? 过敏性鼻炎 鼻炎 胃病 胃炎 关节炎 颈椎病 腰椎间盘突出 偏头痛 癫痫 痛风
  贫血 甲亢 白血病 自闭症 多动症 近视 色盲 乳糖不耐受? 湿疹 中风 老年痴呆症? 阿尔茨海默症?`);
const OCCUPATION =
  anyOf(`医生 护士 老师 教师 学生 大学生 研究生 博士生? 工程师 程序员 设计师 律师 会计师? 警察 军人 消防员 厨师 司机 记者 编辑 作家 画家 歌手 演员 导演 摄影师
  音乐人 舞者 运动员 教练 销售 产品经理 项目经理 经理 老板 公务员 科学家 研究员 翻译 导游 农民 工人 快递员 理发师 心理咨询师 咨询师 药剂师 牙医 兽医 建筑师 志愿者
  单亲妈妈 全职妈妈 妈妈 爸爸 独生子女? 独生女 素食主义者 素食者 基督徒 佛教徒 穆斯林 回族 汉族 自由职业者? 创业者 主播 博主 左撇子 夜猫子 社恐 内向的?人? 外向的?人? [东西南北京上海广湖河山江福四云贵]\\S{1,3}人`);

/** Writes Chinese phrases; no border stands between Chinese words, so look-alikes are named in `unless`. */
export const chinese = createPhrases(
  {
    a: `(?:${NUMBER}|这|那|这么|好几)?(?:个|只|条|位|对|群|匹|台|辆|套|间|家|本|张|把|份|场|次|门)?`,
    condition: CONDITION,
    feeling: FEELING,
    circle: CIRCLE,
    kin: KIN,
    number: NUMBER,
    occupation: OCCUPATION,
    pet: PET,
    strong_feeling: STRONG_FEELING,
    time: TIME,
  },
  '',
);

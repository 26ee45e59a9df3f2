import type { Language } from './language.ts';
import { consistsOf, longestOf } from './phrases.ts';
import { parseChinese } from './zh-grammar.ts';
import { dailyRules } from './zh-rules-daily.ts';
import { graveRules } from './zh-rules-grave.ts';
import { lastingRules } from './zh-rules-lasting.ts';

const WORD =
  longestOf(`你好呀?啊? 您好 嗨 哈喽 喂 早上?好?呀?啊? 早安 午安 晚上好 下午好 中午好 晚安 再见 拜拜 回头见 明天见 下次见 周[一二三四五六日末]见 一会儿?见 回聊
  谢谢你?您?啦?了? 多谢 感谢 辛苦了?啦? 不客气 不用谢 没事儿?的?了? 没关系 对不起 抱歉 不好意思 好(?!久)的?吧?呀?啊?呢?嘞?啦? 好滴 行吧?啊? 可以的?啊?呀? 嗯+ 哦+ 噢+ 啊+ 哈+ 呵+ 嘿+ 哇+塞?
  嘻+ 是的?啊?呀?吧? 对啊?呀?的? 对对+ 没错 当然啦?了? 真的(?:吗|假的)?啊? 真棒 太?(?:棒|好(?![的吧呀啊呢嘞滴久])|赞|厉害|酷|可惜|美|有趣|搞笑|难|惨)了?啊?呀? 厉害啊? 加油 恭喜你?啊?呀? 祝贺你? 保重
  知道了 明白了?吗? 懂了 收到 没问题 不错啊?呀?哦? 挺好的?啊? 随便 哎呀? 唉+ 天[呐哪啊] 我的天 牛啊? 笑死我?了? 同意 确实 有道理 我也是 我也觉得 我先走了 我走了 先这样 新年快乐 生日快乐
  好久不见 欢迎 请 来吧 走吧 算了吧? 吃了吗 在吗 忙吗 最近怎么样`);
const SMALL_TALK = new RegExp(`^${WORD}[^\\p{L}\\p{N}]*`, 'u');
const YES = /^\s*(?:是的?|对|嗯+|没错|有的?|会的?|确实|当然)(?=[啊呀呢吧，,。.!！\s]|$)/u;
const QUESTION_TO_YOU = /(?:^|[，,。！!])(你.{2,30}?)(?:吗|么|吧)?[？?]\s*$/u;

function toStatement(question: string): string | undefined {
  const [, asked] = QUESTION_TO_YOU.exec(question) ?? [];
  if (asked === undefined || /什么|怎么|哪|谁|几|多少|多久/u.test(asked)) return undefined;
  return `${asked
    .replaceAll('你', '我')
    .replace(/是不是/u, '是')
    .replace(/有没有/u, '有')
    .replace(/会不会/u, '会')
    .replace(/喜不喜欢/u, '喜欢')}。`;
}

/** Chinese, as its statements are rated. */
export const chineseLanguage: Language = {
  parse: parseChinese,
  rules: [...graveRules, ...lastingRules, ...dailyRules],
  isSmallTalk: (sentence) => consistsOf(SMALL_TALK, sentence.trim()),
  isYes: (text) => YES.test(text),
  toStatement,
};

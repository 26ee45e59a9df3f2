import { anyOf } from './phrases.ts';

/** Words that tell how somebody feels, by strength: weak, clear, strong. */
const GOOD = [
  anyOf(
    'glad nice fun good cool interesting relaxing relaxed calm hopeful cozy enjoy(?:ed|ing|s)? like[sd]? curious 不错 喜欢 放松 有趣 好玩 舒服 安心 期待',
  ),
  anyOf(`happy happier great love[sd]? loving excited exciting proud grateful thankful wonderful awesome lovely beautiful inspir(?:ed|ing) lucky delighted
    cheerful succe(?:ss|ssful|eded) won 开心 高兴 快乐 幸福 兴奋 骄傲 自豪 感激 感动 满足 热爱 太好了 太棒了 赢了 成功 顺利`),
  anyOf(
    'thrilled amazing ecstatic elated overjoyed incredible fantastic perfect best_day blessed 激动 欣喜若狂 最幸福 美梦成真 好极了',
  ),
] as const;
const BAD = [
  anyOf(
    'tired busy boring bored nervous unsure annoying annoyed dislike[sd]? swamped miss(?:ed|ing)? 累 困 无聊 忙 紧张 讨厌 烦 可惜',
  ),
  anyOf(`sad worried worr(?:y|ies|ying) stress(?:ed|ful)? upset angry mad afraid scared anxious frustrat(?:ed|ing) disappoint(?:ed|ing) lonely hurt(?:s|ing)? hate[sd]?
    sick pain(?:ful)? guilty ashamed embarrassed rough lost failed fail tough overwhelmed 难过 伤心 生气 担心 焦虑 失望 沮丧 害怕 孤单 孤独 后悔 内疚 委屈 压力 疼 痛 失败 失去 想哭 失眠`),
  anyOf(`devastat(?:ed|ing) heartbroken heartbreaking depress(?:ed|ing|ion) terrified terrible horrible awful hopeless miserable griev(?:e|ing) grief die[sd]? dead
    passed_away suicid(?:e|al) cancer trauma(?:tic)? abuse[d]? 崩溃 绝望 抑郁 痛苦 心碎 去世 过世 自杀 活不下去 癌`),
] as const;
const STRENGTH = [0.3, 0.6, 0.9] as const;
const DENIED =
  /(?:\b(?:not|never|no|hardly|without|n't)\b(?:\s+\w+){0,2}\s*|(?:不|没|没有|别|不太|不是很|不再|不怎么)(?:很|太|是很|那么|觉得)?)$/iu;

const LEXICON = [GOOD, BAD].flatMap((levels, side) =>
  levels.map((words, level) => ({
    pattern: new RegExp(`(?<![\\p{Script=Latin}])${words}(?![\\p{Script=Latin}])`, 'giu'),
    weight: (side === 0 ? 1 : -1) * (STRENGTH[level] ?? 0),
  })),
);

/**
 * How a sentence feels, −1 (despair) to 1 (joy): the mean of its feeling words, a denied one turned round at half its
 * strength; undefined when it has none.
 */
export function rateValence(sentence: string): number | undefined {
  const weights = LEXICON.flatMap(({ pattern, weight }) =>
    [...sentence.matchAll(pattern)].map(({ index }) =>
      DENIED.test(sentence.slice(Math.max(0, index - 24), index)) ? -weight / 2 : weight,
    ),
  );
  if (weights.length === 0) return undefined;
  return weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
}

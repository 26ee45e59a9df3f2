import type { ContentType } from '@contextloom/contracts/project-memory';
import { findContentWords, splitSentences } from '@contextloom/retrieval';
import type { Verdict } from '../memory.ts';

/**
 * Words that carry content in a question and none as a tag: verbs and adverbs that any note of a project may have. In the forms in
 * which notes have them.
 */
const english = `
  actually add added adding adds allow allowed allows already also always another any apply applied applies around away
  back became become becomes been best better big bigger call called came change changed changes come comes could
  currently day days decide decided decides decision different do done easily either else enough even ever every
  everybody everything find finds first follow follows found full get gets getting give given gives go goes going gone
  good got happen happened happens help helps hence however ill instead just keep keeps kept know known last later least
  less let like likes likely list long look looks lot made main make makes making many may maybe mean means might
  move moved moves much must need needed needs never new next none nothing now number often old one ones otherwise part
  people per place please possible problem put puts quite rather really reason reasons run runs say says see seen
  several shall simple simply since small something sometimes soon start started starts still stop stopped stops such
  sure take taken takes tell than thing things think three time times today together took toward towards tried tries
  try turn turned turns two us use used useful user uses using usually want wanted wants way ways well went whether
  will within without work worked working works would year years yes yet zero`;

/** The same in Chinese, as words of two characters and more. */
const chinese = `
  一个 一些 一样 一次 一直 一般 一定 一起 上面 下面 不再 不能 不是 不同 不会 不要 不过 不仅 不必 与其 为了 为什么 主要 之前 之后 之间 也是
  了解 什么 今天 今后 仍然 从而 他们 以上 以下 以前 以后 以及 任何 但是 作为 你们 使用 使得 例如 依然 做到 先后 全部 共有
  其中 其他 其它 具有 再次 决定 几个 出现 分别 刚才 利用 别的 到底 前面 包括 十分 却是 原因 原来 又是 及其 反而 发现 发生 取代 变成 另外 只是 只有
  只要 只能 可以 可能 各种 同时 同样 后来 向来 否则 告诉 哪个 哪些 哪里 因为 因此 在于 多个 多次 大家 大量 如果 如何 如此 它们 完全
  完成 实际 容易 对于 导致 将来 将会 尤其 就是 尽管 属于 已经 常常 并且 并不 应该 应当 开始 引起 当时 很多 得到 必须 怎么 怎样 总是
  情况 感觉 成为 我们 或者 所以 所有 才能 按照 换成 换成了 换为 提供 改为 改成 改用 方式 方法 方面 无法 无论 时候 明天 昨天
  是否 曾经 更加 更多 最后 最近 最好 有些 有人 有的 有关 未来 本来 来自 某个 根据 正在 此外 每个 每次 每天 毕竟 比如 比较 没有 注意 然后
  然而 特别 现在 甚至 由于 留下 的话 目前 直到 直接 相关 相同 看到 知道 确实 确保 确定 称为 立刻 第一 第二 等等 结果 考虑 而且 而是
  能够 自己 虽然 表示 被迫 要求 觉得 认为 许多 说明 起来 足够 还是 还有 进行 这个 这些 这里 这样 这种 连续 选择 选用 通过 通常 造成
  遇到 那个 那些 那里 那么 部分 采用 里面 重新 问题 随后 随着 需要 非常 首先 马上`;

const words = new Set(`${english} ${chinese}`.trim().split(/\s+/));

/** Whether a lower-cased word tells nothing about what a note is about. */
const isTagless = (word: string): boolean => words.has(word);

/** What is said of a memory in short. */
export interface Analysis {
  readonly summary: string;
  readonly tags: readonly string[];
}

/** One side of an arbitration. */
export interface Side {
  readonly contentType: ContentType;
  readonly summary: string;
}

/** Reads memories: a model where there is one, written rules elsewhere. Answers in any case. */
export interface Analyst {
  readonly analyse: (content: string) => Promise<Analysis>;
  /** Absent where there is no model. */
  readonly arbitrate?: (stored: Side, incoming: Side) => Promise<Verdict>;
}

/** Longest summary, in UTF-16 code units. */
export const MAX_SUMMARY_LENGTH = 300;
const MIN_TAGS = 3;
const MAX_TAGS = 10;
/** How many tags written rules give. */
const USUAL_TAGS = 5;
const MAX_TAG_LENGTH = 40;
/** How many characters of a text the rules read. */
const READ_LENGTH = 20_000;
/** Characters that are words by themselves: particles, pronouns, numbers, directions and common verbs. */
const LONE = new Set(
  '的了着吗呢吧啊是在我你您他她它这那也就都和与很一二三四五六七八九十两几个次条把被将从到对用给向于以为因所而但或及并后前时中上下里外内间有没无不要会能可做让使由按每各该此其更最再又还只才已',
);
/** What Markdown puts before the words of a line. */
const LEAD_IN = /^[\s#>*+`~|-]+/;

/** The beginning of a text in at most so many UTF-16 code units, no character cut in two. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A summary on one line, of the length that is kept, without what no database takes: models write all sorts of characters. */
export function toSummary(text: string): string {
  return cutText(text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim(), MAX_SUMMARY_LENGTH);
}

/** The first sentences of a text as its summary. */
export function summarizeByRules(content: string): string {
  const sentences = content
    .slice(0, READ_LENGTH)
    .split('\n')
    .map((line) => line.replace(LEAD_IN, ''))
    .filter((line) => line.trim() !== '')
    .flatMap((line) => splitSentences(line));
  let summary = '';
  for (const sentence of sentences) {
    const longer = `${summary} ${sentence.trim()}`.trim();
    if (summary !== '' && longer.length > MAX_SUMMARY_LENGTH) break;
    summary = longer;
  }
  return toSummary(summary === '' ? content : summary);
}

const chineseWords = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * The Chinese words of a text. What the dictionary of the runtime does not know comes as single characters: two of them side by
 * side are taken for a word (缓 and 存), three and more are not.
 */
function findChineseWords(text: string): readonly string[] {
  const words: string[] = [];
  let run = '';
  const endRun = (): void => {
    if (run.length === 2) words.push(run);
    run = '';
  };
  for (const { segment } of chineseWords.segment(text)) {
    if (/^\p{Script=Han}$/u.test(segment) && !LONE.has(segment)) {
      run += segment;
      continue;
    }
    endRun();
    if (/^\p{Script=Han}{2,}$/u.test(segment)) words.push(segment);
  }
  endRun();
  return words;
}

/** The words that a text uses most, as its tags: the first ones where all come once. */
export function tagByRules(content: string): readonly string[] {
  const read = content.slice(0, READ_LENGTH);
  const words = findContentWords(read).map(({ word }) => word);
  const counts = new Map<string, number>();
  for (const word of [...words, ...findChineseWords(read)]) {
    if (word.length > 1 && !/^\d+$/.test(word) && !isTagless(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, USUAL_TAGS)
    .map(([word]) => word);
}

const isTag = (tag: string): boolean => tag !== '' && tag.length <= MAX_TAG_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(tag);

/** At most ten different tags in lower case, completed from the text's own words where a model gave fewer than three. */
export function toTags(given: readonly string[], content: string): readonly string[] {
  const clean = given.map((tag) => tag.trim().replace(/^#/, '').toLowerCase()).filter(isTag);
  const tags = new Set(clean);
  if (tags.size < MIN_TAGS) {
    for (const tag of tagByRules(content)) if (tags.size < MIN_TAGS || clean.length === 0) tags.add(tag);
  }
  return [...tags].slice(0, MAX_TAGS);
}

/** Summary and tags by written rules. */
export function analyseByRules(content: string): Analysis {
  return { summary: summarizeByRules(content), tags: toTags([], content) };
}

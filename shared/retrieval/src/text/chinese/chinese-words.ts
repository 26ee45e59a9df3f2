import { simplify } from './simplify.ts';

/** Words that say how others belong together, as a dictionary cuts them off; texts about anything have them. */
const functionWords = new Set(
  `的 了 着 吗 呢 吧 啊 呀 嘛 啦 哦 嗯 么 是 在 我 你 您 他 她 它 这 那 也 就 都 和 与 很 有 用 做 被 把 对 要 到 会 能 可 还 又 再 去 来
  上 下 里 中 个 给 让 从 向 为 以 其 所 将 并 或 但 而 若 则 已 曾 不 没 别 最 更 太 只 才 过 得 地 几 哪 谁 我的 你的 他的 她的 我们 你们
  他们 她们 咱们 这个 那个 这些 那些 一个 没有 可以 因为 所以 但是 如果 已经 自己 还是 或者 以后 之后 以前 之前 时候 上次 平时 这样 那样`.split(
    /\s+/,
  ),
);

const han = /\p{Script=Han}/u;
/** Scripts of languages that share characters with Chinese and are cut into words by other rules. */
const otherScripts = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The Chinese words of a text that carry content, in simplified characters, each once. */
export function findChineseWords(text: string): readonly string[] {
  if (!han.test(text) || otherScripts.test(text)) return [];
  const words = [...segmenter.segment(simplify(text))].map(({ segment }) => segment);
  return [...new Set(words)].filter((word) => han.test(word) && !functionWords.has(word));
}

/** How many places of a character are looked at, and how much around each: a dictionary cuts a word off within a few characters. */
const PLACES = 16;
const AROUND = 8;

/** Whether a simplified character is a word by itself somewhere in a text: 雨 in 下了一场雨, not in 小雨, a name. */
export function isWordOf(text: string, character: string): boolean {
  let at = text.indexOf(character);
  for (let place = 0; place < PLACES && at >= 0; place += 1) {
    const from = Math.max(0, at - AROUND);
    if (segmenter.segment(text.slice(from, at + AROUND)).containing(at - from)?.segment === character) return true;
    at = text.indexOf(character, at + 1);
  }
  return false;
}

const SCRIPTS = ['Han', 'Latin', 'Hiragana', 'Katakana', 'Hangul', 'Cyrillic', 'Arabic', 'Devanagari', 'Thai'] as const;
const patterns = SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'gu'));

/** The share of each script among the letters of a text. A Chinese character counts as two letters, as it does in a word. */
function toShares(text: string): readonly number[] {
  const counts = patterns.map((pattern, at) => (text.match(pattern)?.length ?? 0) * (at === 0 ? 2 : 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (total === 0 ? 0 : count / total));
}

/** Whether a text is mainly written in Chinese characters. */
export function isChinese(text: string): boolean {
  return (toShares(text)[0] ?? 0) >= 0.3 && (toShares(text)[2] ?? 0) + (toShares(text)[3] ?? 0) < 0.1;
}

/** Whether a text is mainly written in a script that the other text uses for a fifth or more of its letters. */
export function sharesScript(text: string, other: string): boolean {
  const [shares, others] = [toShares(text), toShares(other)];
  const main = shares.indexOf(Math.max(...shares));
  return shares.every((share) => share === 0) || others.every((share) => share === 0) || (others[main] ?? 0) >= 0.2;
}

/** The endings of English inflection, and the vowel that a base may lose before them. */
const ending = /^(?:|e|s|es|d|ed|ing|y|ies|ied|ying)$/u;

const doubled = /^([bdfgklmnprtvz])(ed|ing)$/u;

function isEnding(rest: string, last: string): boolean {
  const [, consonant, after] = doubled.exec(rest) ?? [];
  return ending.test(rest) || (consonant === last && after !== undefined);
}

/**
 * Whether two words of one stem are forms of one word, such as `walk` and `walking`. A stemmer brings words together that only
 * come from the same root: `commune` and `community`.
 */
export function areForms(a: string, b: string): boolean {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  const last = a[shared - 1] ?? '';
  return isEnding(a.slice(shared), last) && isEnding(b.slice(shared), last);
}

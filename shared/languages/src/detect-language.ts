import type { Language } from '@contextloom/contracts';

/** What a text is compared by. */
export interface DetectOptions {
  /** From this share of a text's words on, 0 to 1, its signs tell its language, and not its Latin words: names and code among them do not count. */
  readonly signsFrom?: number;
}

/** Japanese has a kana among its signs at least every few words; a Chinese text may quote some. */
const KANA_FROM = 0.1;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * The language of a text, by its script: a Chinese sign or a kana is about a word, and so is a run of Latin letters. A language in another
 * script is answered in English. undefined for a text without letters.
 */
export function detectLanguage(text: string, { signsFrom = 0.5 }: DetectOptions = {}): Language | undefined {
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const signs = kana + count(text, /\p{Script=Han}/gu);
  const words = count(text, /\p{Script=Latin}+/gu);
  if (signs > 0 && signs / (signs + words) >= signsFrom) return kana / signs >= KANA_FROM ? 'ja' : 'zh';
  return /\p{L}/u.test(text) ? 'en' : undefined;
}

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

const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The language that most of a text is written in, as a model is asked about it: as soon as three letters in ten are signs, where a
 * Chinese sign counts as two letters; a tenth of kana among all letters is Japanese. English for everything else.
 */
export function detectMainLanguage(text: string): Language {
  if (!SIGNS.test(text)) return 'en';
  const han = 2 * count(text, /\p{Script=Han}/gu);
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const total =
    han +
    kana +
    count(
      text,
      /[\p{Script=Latin}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/gu,
    );
  if (kana / total >= KANA_FROM) return (han + kana) / total >= 0.3 ? 'ja' : 'en';
  return han / total >= 0.3 ? 'zh' : 'en';
}

import type { ReadValue } from './attribute.ts';

const toReading =
  (pattern: RegExp): ReadValue =>
  (text) =>
    pattern.test(text) ? { value: text } : undefined;

/** An email address and nothing else. */
export const readEmail = toReading(/^[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}$/u);

/** A telephone number and nothing else: seven to fifteen digits, as they are written. */
export const readPhone: ReadValue = (text) => {
  const digits = text.replace(/\D/gu, '').length;
  return /^\+?[\d(][\d ()./-]*\d$/u.test(text) && digits >= 7 && digits <= 15 ? { value: text } : undefined;
};

/** A time zone: its name in the IANA list, an offset, or an abbreviation. */
export const readTimeZone = toReading(
  /^(?:[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_+-]+){1,2}|(?:UTC|GMT)(?: ?[+-] ?\d{1,2}(?::?\d\d)?)?|[A-Z]{2,4}T|[东西][一二三四五六七八九十]{1,3}区|北京时间)$/u,
);

/** Pronouns: she/her, they. */
export const readPronouns = toReading(
  /^(?:he|she|they|him|her|them|his|hers|theirs|xe|xem|ze|zir|it|its|any|他|她|它|ta)(?: ?[/,] ?(?:he|she|they|him|her|them|his|hers|theirs|xe|xem|ze|zir|it|its|any|他|她|它|ta)){0,3}$/iu,
);

/** Pronouns before their name: she/her pronouns. */
export const readPronounsBefore: ReadValue = (text) => readPronouns(text.replace(/ pronouns$/u, ''));

/** An address: a number and a name, all of it. */
export const readAddress = toReading(
  /^(?:(?:[Ff]lat|[Aa]partment|[Aa]pt|[Uu]nit|[Rr]oom|[Nn]o)\.? ?)?\d{1,5}[\p{L}/-]{0,3},? \p{Lu}[\p{L}\p{M}'.-]*(?:,? [\p{Lu}\d][\p{L}\p{M}\d'.-]*){0,9}$|^\p{Script=Han}{2,20}(?:路|街|巷|道|村|小区|大厦|花园|弄)\p{Script=Han}{0,8}\d{1,5}[号弄栋幢座室]?(?:[\p{Script=Han}\d-]{0,12}[号室楼层])?$/u,
);

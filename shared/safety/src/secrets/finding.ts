/** What sort of secret it is. */
export type SecretKind = 'key' | 'card number' | 'identity number' | 'phone number' | 'password';

/** What can be masked: secrets, what else some do not want kept, and what their own expressions find. */
export type MaskKind = SecretKind | 'e-mail address' | 'IBAN' | 'health' | 'expression';

/** Where a secret stands in a text, in UTF-16 units. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: MaskKind;
}

/** Finds the secrets of one sort in a text that {@link toPlain} has made. */
export type Detector = (plain: string) => readonly Finding[];

/** Full-width forms, and the spaces and dashes that word processors put into numbers. */
const TYPESET = /[\uFF01-\uFF5E\u3000\u00A0\u2002-\u200A\u202F\u2010-\u2015\u2212]/gu;

function toAscii(character: string): string {
  const unit = character.charCodeAt(0);
  if (unit >= 0xff01 && unit <= 0xff5e) return String.fromCharCode(unit - 0xfee0);
  return (unit >= 0x2010 && unit <= 0x2015) || unit === 0x2212 ? '-' : ' ';
}

/** What stands in the place of what was masked. */
export const MASK =
  /\[masked: (?:key|card number|identity number|phone number|password|e-mail address|IBAN|health|expression)\]/gu;

/**
 * Writes a text in plain digits, dashes, spaces and punctuation; every place stays where it was.
 * The words of masks go, since `password` in one would announce another.
 */
export function toPlain(text: string): string {
  return text.replace(TYPESET, toAscii).replace(MASK, ({ length }) => `[${'|'.repeat(length - 2)}]`);
}

/** Whether a number begins with a calendar day such as 2024-03-05 or 20240305. */
export function beginsWithDate(text: string): boolean {
  return /^(?:19|20)\d\d[-/. ]?(?:0[1-9]|1[0-2])[-/. ]?(?:0[1-9]|[12]\d|3[01])(?!\d{4})/u.test(text);
}

/** How many digits a text has. */
export function countDigits(text: string): number {
  return text.replace(/\D/gu, '').length;
}

/**
 * Finds every match of a pattern; a group called `value` is the secret, else the whole match is.
 * @param pattern global, with the flag `d` when it has the group `value`
 */
export function findAll(
  plain: string,
  pattern: RegExp,
  kind: MaskKind,
  isSecret: (value: string, match: RegExpExecArray) => boolean = () => true,
): readonly Finding[] {
  return [...plain.matchAll(pattern)].flatMap((match) => {
    const value = match.groups?.['value'] ?? match[0];
    const [start, end] = match.indices?.groups?.['value'] ?? [match.index, match.index + match[0].length];
    return isSecret(value, match) ? [{ start, end, kind }] : [];
  });
}

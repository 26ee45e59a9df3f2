/** Arabic, Persian and Devanagari zeros; the other digits follow them. */
const ZEROS = [0x0660, 0x06f0, 0x0966];

/** A text with its digits as in English. */
export function toPlainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/gu, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}

/** What may be base64, hexadecimal, or escaped text; shorter pieces say nothing. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,4000}={0,2}/gu;
const HEX = /(?<![0-9A-Za-z])(?:[0-9a-f]{2}[ :]?){10,4000}(?![0-9A-Za-z])/giu;
const ESCAPES = /\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});/giu;
const PERCENT = /(?:%[0-9a-f]{2}){1,4000}/giu;
const DECIMAL = /&#(\d{1,7});/gu;

function toCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The text that bytes are, when they are one; "" for what is no UTF-8 or nothing to read. */
function toReadable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return /\p{L}{3}|\p{Script=Han}{2}/u.test(text) && !/[\ufffd\p{Cc}]/u.test(text.replace(/\s/gu, '')) ? text : '';
}

/** What is encoded in a text (base64, hexadecimal, escapes of programs and pages), in plain words. */
export function decodePieces(text: string): readonly string[] {
  const base64 = [...text.matchAll(BASE64)].map(([piece]) => toReadable(Buffer.from(piece, 'base64')));
  const hex = [...text.matchAll(HEX)].map(([piece]) => toReadable(Buffer.from(piece.replace(/[ :]/gu, ''), 'hex')));
  const escaped = text
    .replace(ESCAPES, (_match, ...codes: readonly (string | undefined)[]) =>
      toCharacter(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16)),
    )
    .replace(PERCENT, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(DECIMAL, (_match, code: string) => toCharacter(Number(code)));
  return [...base64, ...hex, ...(escaped === text ? [] : [escaped])].filter((piece) => piece !== '');
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const rotate = (letter: string): string =>
  ALPHABET.charAt((ALPHABET.indexOf(letter) + ALPHABET.length / 2) % ALPHABET.length);

/** A lower-case text with each letter 13 places on, which is how ROT13 hides it and brings it back. */
export function rotateLetters(text: string): string {
  return text.replace(/[a-z]/gu, rotate);
}

/** A text read from its end. */
export function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

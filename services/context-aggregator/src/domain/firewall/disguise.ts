/** Letters of other scripts that look like a Latin one; within a Latin word nobody writes them but to deceive. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', ԁ: 'd', һ: 'h', ѵ: 'v', ӏ: 'l' },
  ...{ α: 'a', ε: 'e', ο: 'o', ρ: 'p', ν: 'v', ι: 'i', κ: 'k', τ: 't', υ: 'u', χ: 'x', ѐ: 'e', ɡ: 'g', ı: 'i' },
};
const MIXED_WORD = /(?=\S*[a-z])(?=\S*[\p{Script=Cyrillic}\p{Script=Greek}ɡı])\S{1,100}/giu;
/** Letters one by one, as in `i g n o r e`. */
const SPACED = /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*]){2,60}\p{L}(?![\p{L}\p{N}])/gu;
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

function decode(text: string): readonly string[] {
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

const unspaced = (text: string): string => text.replace(SPACED, (letters) => letters.replace(/[ .\-_*]/gu, ''));
const ROTATED = new Map(
  ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letters) =>
    [...letters].map((letter, at) => [letter, letters.charAt((at + 13) % 26)] as const),
  ),
);
const rot13 = (text: string): string => Array.from(text, (letter) => ROTATED.get(letter) ?? letter).join('');

/**
 * A text as a model may read it: as it stands, its look-alike letters as Latin ones, spaced letters as words, and what is
 * encoded in it (base64, hexadecimal, escapes, ROT13) in plain words.
 */
export function toReadings(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .replace(MIXED_WORD, (word) => word.replace(/./gu, (letter) => LOOKALIKES[letter.toLowerCase()] ?? letter));
  const joined = plain
    .split(/\s{2,}/u)
    .map(unspaced)
    .join(' ');
  return [...new Set([text, plain, joined, ...decode(text), rot13(text)])];
}

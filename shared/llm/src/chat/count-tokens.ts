import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** User text is data: `<|endoftext|>` in it is thirteen characters, not an instruction. */
const asPlainText = { disallowedSpecial: new Set<string>() };

/**
 * Rows of 200 letters, or of 200 spaces and marks. The encoder may take a longer row as one word, which it merges in
 * quadratic time: 100,000 Chinese characters without punctuation take 90 s in one piece, a tenth of a second in these.
 */
const longRow = /[\p{L}\p{M}]{200}|[^\p{L}\p{N}]{200}/gu;
const LONG = 200;
/** Halves of a pair may belong to either. */
const inRow = [/[\p{L}\p{M}\ud800-\udfff]/u, /[^\p{L}\p{N}]/u] as const;

/**
 * Whether a text may have a long row. A row covers every 200th place of the text, so the few characters around each of these tell:
 * looking for rows from each character on takes longer than counting.
 */
function mayHaveLongRow(text: string): boolean {
  for (let place = LONG - 1; place < text.length; place += LONG) {
    for (const pattern of inRow) {
      let from = place;
      let to = place;
      while (from >= 0 && place - from < LONG && pattern.test(text.charAt(from))) from -= 1;
      while (to < text.length && to - from <= LONG && pattern.test(text.charAt(to))) to += 1;
      if (to - from > LONG) return true;
    }
  }
  return false;
}

/**
 * The number of o200k_base tokens in a text, with special-token text counted as plain text. Exact unless 200 letters, or
 * 200 spaces and marks, stand in a row: each such row may add a token.
 */
export function countTokens(text: string): number {
  // Loaded at the first count: the table costs a quarter of a second and 65 MB, which a server that never counts must not pay.
  const encoding: typeof import('gpt-tokenizer/encoding/o200k_base') = require('gpt-tokenizer/encoding/o200k_base');
  if (!mayHaveLongRow(text)) return encoding.countTokens(text, asPlainText);
  let total = 0;
  let start = 0;
  for (const { 0: row, index } of text.matchAll(longRow)) {
    const end = index + row.length;
    total += encoding.countTokens(text.slice(start, end), asPlainText);
    start = end;
  }
  return total + encoding.countTokens(text.slice(start), asPlainText);
}

/** The beginning of a text, up to so many tokens; the whole text when it has fewer. */
export function cutToTokens(text: string, max: number): string {
  // No token is shorter than a byte.
  if (Buffer.byteLength(text) <= max) return text;
  const [pieces, last] = [text.match(/[\s\S]{1,200}/gu) ?? [], { end: 0, tokens: 0 }];
  for (const piece of pieces) {
    const tokens = countTokens(piece);
    if (last.tokens + tokens > max) break;
    last.tokens += tokens;
    last.end += piece.length;
  }
  return text.slice(0, last.end);
}

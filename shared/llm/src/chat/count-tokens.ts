import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** User text is data: `<|endoftext|>` in it is thirteen characters, not an instruction. */
const asPlainText = { disallowedSpecial: new Set<string>() };

/**
 * Rows of 200 letters, or of 200 spaces and marks. The encoder may take a longer row as one word, which it merges in
 * quadratic time: 100,000 Chinese characters without punctuation take 90 s in one piece, a tenth of a second in these.
 */
const longRow = /[\p{L}\p{M}]{200}|[^\p{L}\p{N}]{200}/gu;

/**
 * The number of o200k_base tokens in a text, with special-token text counted as plain text. Exact unless 200 letters, or
 * 200 spaces and marks, stand in a row: each such row may add a token.
 */
export function countTokens(text: string): number {
  // Loaded at the first count: the table costs a quarter of a second and 65 MB, which a server that never counts must not pay.
  const encoding: typeof import('gpt-tokenizer/encoding/o200k_base') = require('gpt-tokenizer/encoding/o200k_base');
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

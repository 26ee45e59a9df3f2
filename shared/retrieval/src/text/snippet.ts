import { cjkCharacter } from './chinese/cjk-character.ts';
import type { TokenMatch } from './find-matches.ts';

/** A passage of a text, and where matches stand in it: first code unit and the one after the last, ascending, apart. */
export interface Snippet {
  readonly text: string;
  readonly ranges: readonly (readonly [number, number])[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const MAX_LENGTH = 200;
const ELLIPSIS = '…';

/** What stands inside words, but for CJK, where every character may begin or end a snippet. */
const inWord = new RegExp(String.raw`^[[\p{L}\p{N}\p{M}'’]--${cjkCharacter}]$`, 'v');
/** What belongs to the character before it: marks, skin colours, joiners, the later letters of a Hangul syllable. */
const joinsBefore = /^[\p{M}\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}\u1160-\u11FF]$/u;
const regionalIndicator = /^\p{Regional_Indicator}$/u;
const JOINER = '\u200D';

function isInsidePair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Whether a text may be cut there: not in a word, and not in what is seen as one character. */
function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isInsidePair(text, at)) return false;
  const before = characterAt(text, isInsidePair(text, at - 1) ? at - 2 : at - 1);
  const after = characterAt(text, at);
  if (before === JOINER || joinsBefore.test(after)) return false;
  if (regionalIndicator.test(before) && regionalIndicator.test(after)) return false;
  return !(inWord.test(before) && inWord.test(after));
}

/** The passage of at most `room` characters with the most different tokens, then the most matches; the first of equals. */
function findDensest(matches: readonly TokenMatch[], limit: number): Span {
  const inside = new Map<string, number>();
  let best = { from: 0, to: 0, tokens: 0, matches: 0 };
  let left = 0;
  for (const [right, { token, to }] of matches.entries()) {
    inside.set(token, (inside.get(token) ?? 0) + 1);
    for (let first = matches[left]; first !== undefined && left < right && to - first.from > limit; ) {
      const count = (inside.get(first.token) ?? 0) - 1;
      if (count > 0) inside.set(first.token, count);
      else inside.delete(first.token);
      left += 1;
      first = matches[left];
    }
    const found = { from: matches[left]?.from ?? 0, to, tokens: inside.size, matches: right - left + 1 };
    const isBetter = found.tokens - best.tokens || found.matches - best.matches;
    if (isBetter > 0) best = found;
  }
  return best;
}

/** Puts as much text on either side of a passage as fits, and ends it where it may be cut. */
function widen(text: string, { from, to }: Span, limit: number): Span {
  const last = Math.min(to, from + limit);
  const earliest = Math.max(0, Math.min(from - Math.floor((limit - (last - from)) / 2), text.length - limit));
  let start = earliest;
  while (start < from && !isBorder(text, start)) start += 1;
  const latest = Math.min(text.length, earliest + limit);
  let end = latest;
  while (end > last && !isBorder(text, end)) end -= 1;
  // A match or a word that is longer than the snippet is cut where it has to be.
  const hasBorder = end > start && (end > last || isBorder(text, end));
  if (!hasBorder) end = isInsidePair(text, latest) ? latest - 1 : latest;
  return { from: start, to: end };
}

function trim(text: string, { from, to }: Span): Span {
  const shown = text.slice(from, to);
  const start = from + shown.length - shown.trimStart().length;
  return { from: start, to: start + shown.trim().length };
}

/** The matches in a passage as ranges, those that touch as one. */
function toRanges(matches: readonly TokenMatch[], { from, to }: Span): [number, number][] {
  const ranges: [number, number][] = [];
  for (const match of matches) {
    const [start, end] = [Math.max(from, match.from), Math.min(to, match.to)];
    if (start >= end) continue;
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/**
 * Cuts out the passage with the most of the matches, in at most `maxLength` UTF-16 code units (200; at least 3), with an ellipsis on
 * each side where text was left out. The beginning of the text when there is no match.
 */
export function cutSnippet(
  text: string,
  matches: readonly TokenMatch[],
  { maxLength = MAX_LENGTH }: { readonly maxLength?: number } = {},
): Snippet {
  const limit = Math.max(1, maxLength - 2 * ELLIPSIS.length);
  const isWhole = text.length <= maxLength;
  const span = trim(text, isWhole ? { from: 0, to: text.length } : widen(text, findDensest(matches, limit), limit));
  const before = text.slice(0, span.from).trim() === '' ? '' : ELLIPSIS;
  const after = text.slice(span.to).trim() === '' ? '' : ELLIPSIS;
  const shift = before.length - span.from;
  return {
    text: `${before}${text.slice(span.from, span.to)}${after}`,
    ranges: toRanges(matches, span).map(([from, to]) => [from + shift, to + shift]),
  };
}

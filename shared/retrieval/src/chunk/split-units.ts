import { cjkCharacter } from '../text/chinese/cjk-character.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { type Block, splitBlocks } from './markdown-blocks.ts';

/** Counts the tokens of a text, as the model that will read it does. */
export type CountTokens = (text: string) => number;

/** How good it is to begin a chunk there, best first by the number. */
export const BREAKS = { heading: 5, block: 4, item: 3, sentence: 2, word: 1, never: 0 } as const;

/** A part of a text that is not cut further: a sentence, a line of code, or some words of a long one. */
export interface Unit {
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
  /** One of {@link BREAKS}. */
  readonly before: number;
  /** Where the fenced code that it belongs to begins. */
  readonly fence?: number;
}

/** Longer than this, in UTF-16 code units a token, a sentence is cut without counting it. */
const LONGEST_PER_TOKEN = 8;

const space = /\s/;
const cjk = new RegExp(`^${cjkCharacter}$`, 'v');
/** What is seen as one character with what stands before it. */
const joinsBefore = /^[\p{M}\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}\uDC00-\uDFFF]$/u;
const MAX_JOINED = 16;

/** Whether a word may end before a place: after white space, and on either side of a CJK character. */
export function isWordBorder(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)];
  if (joinsBefore.test(after)) return false;
  return (space.test(before) && !space.test(after)) || cjk.test(before) || cjk.test(after);
}

/** The last place at which to cut, after `from` and at or before `to`: between words, else between characters. */
function findCut(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length;
  for (let at = to; at > from + (to - from) / 2; at -= 1) if (isWordBorder(text, at)) return at;
  let at = to;
  while (at > from + 1 && to - at < MAX_JOINED && joinsBefore.test(text.charAt(at))) at -= 1;
  if (!joinsBefore.test(text.charAt(at))) return at;
  const isInsidePair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(to - 1, to + 1));
  return isInsidePair && to - 1 > from ? to - 1 : to + Number(isInsidePair);
}

/** Cuts what is too long between words into parts of at most `length` code units and `size` tokens. */
function cutWords(text: string, size: number, length: number, countTokens: CountTokens): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = findCut(text, from, from + length);
    let [shorter, previous] = [length, -1];
    while (countTokens(text.slice(from, to)) > size && to !== previous && shorter > 1) {
      previous = to;
      shorter = Math.ceil((to - from) / 2);
      to = findCut(text, from, from + shorter);
    }
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

const breakBefore = (block: Block, previous: Block | undefined): number => {
  if (previous?.kind === 'heading') return block.kind === 'heading' ? BREAKS.word : BREAKS.never;
  if (block.kind === 'heading') return BREAKS.heading;
  return block.kind === 'item' ? BREAKS.item : BREAKS.block;
};

/** Lines of code, sentences of everything else. */
function toSentences(text: string, kind: Block['kind']): readonly string[] {
  return kind === 'fence' ? (text.match(/[^\n]*\n|[^\n]+$/g) ?? []) : splitSentences(text);
}

/** Cuts a text into units of at most `size` tokens; put together they are the text exactly. */
export function splitUnits(text: string, size: number, countTokens: CountTokens): readonly Unit[] {
  const units: Unit[] = [];
  const partLength = Math.max(1, Math.floor(size / 4));
  let previous: Block | undefined;
  for (const block of splitBlocks(text)) {
    let from = block.from;
    let before = breakBefore(block, previous);
    const add = (part: string, tokens: number, next: number): void => {
      const fence = block.kind === 'fence' ? { fence: block.from } : {};
      units.push({ from, to: from + part.length, tokens, before, ...fence });
      from += part.length;
      before = next;
    };
    for (const sentence of toSentences(text.slice(block.from, block.to), block.kind)) {
      const isCountable = sentence.length <= LONGEST_PER_TOKEN * size;
      const tokens = isCountable ? countTokens(sentence) : Number.POSITIVE_INFINITY;
      const next = block.kind === 'fence' ? BREAKS.word : BREAKS.sentence;
      if (tokens <= size) add(sentence, tokens, next);
      else {
        const parts = cutWords(sentence, size, partLength, countTokens);
        for (const [at, part] of parts.entries()) {
          add(part, countTokens(part), at === parts.length - 1 ? next : BREAKS.word);
        }
      }
    }
    previous = block;
  }
  return units;
}

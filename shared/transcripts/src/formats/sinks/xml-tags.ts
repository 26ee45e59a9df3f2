import type { Sink } from '../reader.ts';

/** Pictures stand in attributes, as many megabytes of letters: of a longer tag only the beginning is kept. */
const MAX_TAG = 2 * 1024 * 1024;

/** A tag as it stands, from `<` to before `>`. */
type OnTag = (tag: string) => void;

/** Cuts XML into its tags, one at a time; a `>` between quotation marks ends none. Text between tags is passed over. */
export function createXmlTags(onTag: OnTag, onEnd: () => void): Sink {
  let parts: string[] = [];
  let length = 0;
  let isOpen = false;
  let quote = '';
  const keep = (text: string): void => {
    if (length < MAX_TAG) parts.push(text);
    length += text.length;
  };
  /** Where the next of some characters stands; the end when there is none. */
  const find = (text: string, characters: readonly string[], from: number): number =>
    characters.reduce((least, one) => {
      const at = text.indexOf(one, from);
      return at < 0 ? least : Math.min(least, at);
    }, text.length);
  const take = (text: string): number => {
    if (quote !== '') return find(text, [quote], 0);
    return isOpen ? find(text, ['"', "'", '>'], 0) : find(text, ['<'], 0);
  };
  const step = (character: string): void => {
    if (quote !== '') {
      keep(character);
      quote = '';
    } else if (!isOpen) isOpen = true;
    else if (character === '>') {
      onTag(parts.join(''));
      [parts, length, isOpen] = [[], 0, false];
    } else {
      keep(character);
      quote = character;
    }
  };
  return {
    write: (text) => {
      let rest = text;
      while (rest !== '') {
        const at = take(rest);
        if (isOpen) keep(rest.slice(0, at));
        const character = rest[at];
        if (character !== undefined) step(character);
        rest = rest.slice(at + 1);
      }
    },
    end: onEnd,
  };
}

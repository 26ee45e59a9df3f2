import { type PartOfSpeech, partsOfSpeech, type SynsetAddress } from './wordnet-index.ts';

/** A relation of a synset, or of one of its words, to another one: by which symbol, from which word to which (0: of all). */
export interface Pointer {
  readonly symbol: string;
  readonly to: SynsetAddress;
  readonly source: number;
  readonly target: number;
}

/** Words of one meaning, as WordNet spells them, and what they are related to. */
export interface Synset {
  readonly words: readonly string[];
  readonly pointers: readonly Pointer[];
}

const isPart = (letter: string): letter is PartOfSpeech => Object.hasOwn(partsOfSpeech, letter);

function toPointer([symbol = '', offset, letter = '', places = '']: readonly string[]): readonly Pointer[] {
  // A satellite adjective stands in the file of the adjectives.
  const part = letter === 's' ? 'a' : letter;
  if (!isPart(part)) return [];
  const [source, target] = [places.slice(0, 2), places.slice(2)].map((place) => Number.parseInt(place, 16));
  return [{ symbol, to: { part, offset: Number(offset) }, source: source ?? 0, target: target ?? 0 }];
}

/**
 * Reads a line of a data file (wndb(5WN)): offset, file number, type, words with their ids, pointers, and behind a bar the
 * gloss.
 */
export function parseSynset(line: string): Synset {
  const fields = line.split(' | ', 1)[0]?.split(' ') ?? [];
  const wordCount = Number.parseInt(fields[3] ?? '0', 16);
  const words = Array.from({ length: wordCount }, (_, at) => fields[4 + 2 * at] ?? '');
  const first = 5 + 2 * wordCount;
  const pointerCount = Number(fields[first - 1] ?? 0);
  const pointers = Array.from({ length: pointerCount }, (_, at) => fields.slice(first + 4 * at, first + 4 * at + 4));
  // Some adjectives are followed by where they may stand: `afraid(p)`.
  return { words: words.map((word) => word.replace(/\(.*$/, '')), pointers: pointers.flatMap(toPointer) };
}

import { toBaseForms } from '@contextloom/retrieval';
import type { PartOfSpeech } from './wordnet-index.ts';

/** The endings of regular forms and what the base has in their place (morphy(7WN)). */
const endings: Readonly<Record<PartOfSpeech, readonly (readonly [ending: string, base: string])[]>> = {
  n: [
    ['s', ''],
    ['ses', 's'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['ies', 'y'],
  ],
  v: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  a: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  r: [],
};

const doubled = /([b-df-hj-np-tv-z])\1$/;

/**
 * What a lower-case word may be a form of: itself, and bases that may not exist. `planned` → `planned`, `planne`, `plann`,
 * `plan`.
 */
export function toLemmas(word: string, part: PartOfSpeech): readonly string[] {
  const regular = endings[part].flatMap(([ending, base]) =>
    word.endsWith(ending) && word.length > ending.length + 1 ? [word.slice(0, -ending.length) + base] : [],
  );
  const undoubled = part === 'v' ? regular.filter((base) => doubled.test(base)).map((base) => base.slice(0, -1)) : [];
  const irregular = part === 'n' || part === 'v' ? toBaseForms(word) : [];
  return [...new Set([word, ...irregular, ...regular, ...undoubled])];
}

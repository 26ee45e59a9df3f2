import { simplify } from '../text/chinese/simplify.ts';
import { stemTerm, tokenize } from '../text/words/tokenize.ts';
import { home } from './home.ts';
import { life } from './life.ts';
import { people } from './people.ts';
import { questionTerms } from './question-terms.ts';
import { software } from './software.ts';
import { things } from './things.ts';
import { work } from './work.ts';

/** Kinds of everyday things, in English; in the form that `concepts.ts` describes. */
const kinds = `
  pet > dog cat rabbit hamster parrot goldfish puppy kitten
  animal > dog cat cow sheep horse pig chicken bird fish
  instrument > piano guitar violin cello flute drums trumpet clarinet saxophone harp
  sport > football tennis basketball swimming running skiing rugby cricket golf hockey yoga
  language > english french german spanish italian welsh irish japanese chinese mandarin russian portuguese arabic korean
  vegetable > tomato potato carrot onion cabbage spinach courgette pepper
  fruit > apple banana grape strawberry cherry peach orange mango plum pear
  herb > coriander basil mint parsley thyme rosemary dill sage cilantro
  spice > pepper cinnamon ginger turmeric cumin chilli
  drink > coffee tea beer wine juice water
  poultry > hen chicken duck goose turkey
  vehicle > car bike motorcycle van truck bus lorry skoda ford toyota tesla bmw volkswagen
  job > nurse doctor teacher lawyer engineer programmer chef driver accountant designer plumber
  relative > uncle aunt cousin nephew niece grandmother grandfather
  laptop > macbook thinkpad chromebook
  phone > iphone pixel samsung
  furniture > sofa table chair bed wardrobe bookshelf desk
  colour > red yellow blue green white black purple pink grey orange brown
  race > marathon sprint
  disease > diabetes cancer asthma migraine flu stroke
  season > spring summer autumn winter
  meal > breakfast lunch dinner supper
  jewellery > ring necklace earrings bracelet
  appliance > fridge oven dishwasher microwave boiler
  illness > diabetes cancer asthma migraine flu stroke
  health > stroke diabetes cancer asthma surgery pressure kidney heart
  music > orchestra band choir concert cello piano
`;

/** What two words of the thesaurus are to each other: one concept, a kind of it, or what it is a kind of. */
export type Relation = 'same' | 'narrower' | 'wider';

/** A word as texts are searched for it: its term, and the other terms that it consists of. */
export interface ConceptWord {
  readonly term: string;
  readonly rest: readonly string[];
}

/** A word that is related to another one. */
export interface RelatedWord extends ConceptWord {
  readonly relation: Relation;
}

/*
 * A line names one concept in Chinese and, behind the bar, in English: `爸爸 父亲 | father dad`. A line with `>` names a
 * concept by one of its words and kinds of it: `pet > dog cat`. All words of the concepts that it names are meant, in both
 * languages.
 */
const toLines = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
const oneWay = toLines(questionTerms);
const lines = [...[people, home, life, kinds, things, software, work].flatMap(toLines), ...oneWay];

const hanOnly = /^\p{Script=Han}+$/u;

const split = (words: string): readonly string[] => words.split(' ').filter((word) => word !== '' && word !== '|');

/** The key of a word: a Chinese word itself, the stem of one in Latin letters. */
const toKey = (word: string): string => (hanOnly.test(word) ? word : stemTerm(word.toLowerCase()));

function toConceptWord(key: string): ConceptWord {
  if (!hanOnly.test(key)) return { term: key, rest: [] };
  const { terms, unigrams } = tokenize(key, { keepStopWords: true });
  const [term = key, ...rest] = key.length > 1 ? terms : unigrams;
  return { term, rest };
}

type Relations = ReadonlyMap<string, ReadonlyMap<string, Relation>>;

/** All relations of the lines; of several between two words the first counts. */
function readRelations(): Relations {
  const related = new Map<string, Map<string, Relation>>();
  const relate = (from: string, to: string, relation: Relation): void => {
    const known = related.get(from) ?? new Map<string, Relation>();
    if (from !== to && !known.has(to)) related.set(from, known.set(to, relation));
  };
  const concepts = lines.filter((line) => !line.includes('>')).map((line) => split(line).map(toKey));
  for (const words of concepts) for (const a of words) for (const b of words) relate(a, b, 'same');
  const sameAs = (word: string): readonly string[] => {
    const same = [...(related.get(word) ?? [])].filter(([, relation]) => relation === 'same');
    return [word, ...same.map(([other]) => other)];
  };
  for (const line of lines.filter((one) => one.includes('>'))) {
    const [heads = [], members = []] = line.split('>').map((side) => split(side).map(toKey).flatMap(sameAs));
    for (const head of heads) {
      for (const member of members) {
        relate(head, member, 'narrower');
        if (!oneWay.includes(line)) relate(member, head, 'wider');
      }
    }
  }
  return related;
}

let relations: Relations | undefined;

/** Read when first asked for: some milliseconds. */
function relationsOnce(): Relations {
  relations ??= readRelations();
  return relations;
}

/** The words that are related to a Chinese word in simplified characters, or to the stem of one in Latin letters. */
export function relateConcept(key: string): readonly RelatedWord[] {
  return [...(relationsOnce().get(key) ?? [])].map(([word, relation]) => ({ ...toConceptWord(word), relation }));
}

/** The longest Chinese word of the thesaurus, in characters. */
const LONGEST = 5;

/** The words of the thesaurus in a Chinese text, the longest first where they overlap; in simplified characters. */
export function findConceptWords(text: string): readonly string[] {
  const characters = [...simplify(text)];
  const known = relationsOnce();
  const found: string[] = [];
  for (let at = 0; at < characters.length; ) {
    const longest = Array.from({ length: LONGEST }, (_, less) => characters.slice(at, at + LONGEST - less).join(''));
    const word = longest.find((one) => hanOnly.test(one) && known.has(one));
    if (word !== undefined) found.push(word);
    at += word === undefined ? 1 : [...word].length;
  }
  return found;
}

/** The term by which a word of the thesaurus is searched for, with the rest of it. */
export { toConceptWord };

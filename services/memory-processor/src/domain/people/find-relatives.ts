import { type RelationKind, relationKinds } from '@contextloom/contracts/personal-memory';
import { type PeopleWords, peopleWords } from '@contextloom/languages/people';

/** What somebody who is named is to the one who speaks; a person where that is not said. */
export type Named = RelationKind | 'person';

/** A way in which a language names somebody. */
interface Rule {
  readonly expression: RegExp;
  readonly toRelation: (words: string) => Named | undefined;
  readonly isNoName: (word: string) => boolean;
}

const whole = (alternatives: string, flags: string): RegExp => new RegExp(`^(?:${alternatives})$`, flags);

function toRules({ relations, name, noNames, sentences }: PeopleWords): readonly Rule[] {
  const tests = [...relationKinds, 'person' as const].map((relation) => ({
    relation,
    test: whole(relations[relation], 'iu'),
  }));
  const any = Object.values(relations).join('|');
  const none = whole(noNames, 'u');
  return sentences.map((sentence) => ({
    expression: new RegExp(
      sentence
        .replace('{relation}', `(?<relation>${any})(?![\\p{Ll}-])`)
        .replace(/\{(name|second|aside)\}/gu, (_mark, group: string) => `(?<${group}>${name})`),
      'gu',
    ),
    toRelation: (words) => tests.find(({ test }) => test.test(words))?.relation,
    isNoName: (word) => none.test(word),
  }));
}

const rules = peopleWords.flatMap(toRules);
const NAMELESS = whole(peopleWords.map(({ speakers }) => speakers).join('|'), 'iu');
/** Letters of a name; no number, no address. */
const NAME = /^(?:\p{Lu}|\p{Lo})[\p{L}\p{M}'’. -]{0,40}$/u;

/** Whether a speaker is called by a name, and not by a part, a number or an address. */
export function isNamed(speaker: string): boolean {
  const [first = ''] = speaker.split(' ');
  return NAME.test(speaker) && !NAMELESS.test(first) && !NAMELESS.test(speaker);
}

/**
 * Who is named with what they are to the one who speaks: each name with its relation.
 * @param listeners who else speaks: a name that stands aside may be theirs
 */
export function findRelatives(words: string, listeners: ReadonlySet<string> = new Set()): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>();
  for (const { expression, toRelation, isNoName } of rules) {
    for (const { groups = {} } of words.matchAll(expression)) {
      const { relation: said = '', name, second, aside } = groups;
      const relation = toRelation(said);
      if (relation === undefined) continue;
      const names = [name, second, aside !== undefined && listeners.has(aside) ? undefined : aside];
      for (const one of names) if (one !== undefined && !isNoName(one) && !found.has(one)) found.set(one, relation);
    }
  }
  return found;
}

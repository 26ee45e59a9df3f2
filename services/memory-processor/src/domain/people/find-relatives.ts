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

/** A sentence as an expression; its parts stand for what the language says. */
function toExpression(sentence: string, name: string, relation = ''): RegExp {
  return new RegExp(
    sentence
      .replace('{relation}', `(?<relation>${relation})(?![\\p{Ll}-])`)
      .replace(/\{(name|second|aside)\}/gu, (_mark, group: string) => `(?<${group}>${name})`),
    'gu',
  );
}

function toRules({ relations, name, noNames, sentences }: PeopleWords): readonly Rule[] {
  const tests = [...relationKinds, 'person' as const].map((relation) => ({
    relation,
    test: whole(relations[relation], 'iu'),
  }));
  const any = Object.values(relations).join('|');
  const none = whole(noNames, 'u');
  return sentences.map((sentence) => ({
    expression: toExpression(sentence, name, any),
    toRelation: (words) => tests.find(({ test }) => test.test(words))?.relation,
    isNoName: (word) => none.test(word),
  }));
}

const rules = peopleWords.flatMap(toRules);
const toExpressions = (of: (words: PeopleWords) => readonly string[]): readonly RegExp[] =>
  peopleWords.flatMap((words) => of(words).map((sentence) => toExpression(sentence, words.name)));
const SPOKEN_OF = toExpressions(({ spokenOf }) => spokenOf);
const SPOKEN_TO = toExpressions(({ spokenTo }) => spokenTo);
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

const findNames = (words: string, expressions: readonly RegExp[]): readonly string[] =>
  expressions.flatMap((expression) =>
    [...words.matchAll(expression)].flatMap(({ groups: { name } = {} }) => name ?? []),
  );

/** Who is spoken of by a form of address, once for each time. */
export function findSpokenOf(words: string): readonly string[] {
  return findNames(words, SPOKEN_OF);
}

/** Who speaks, by what they say their own name is, and whom they speak to: nobody to tell of. */
export function findSpokenTo(words: string): readonly string[] {
  return findNames(words, SPOKEN_TO);
}

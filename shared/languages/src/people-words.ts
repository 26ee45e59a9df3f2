import type { RelationKind } from '@contextloom/contracts/personal-memory';

/**
 * How people are named by what they are to the one who speaks. All texts are sources of regular expressions: alternatives of fixed words,
 * and sentences whose every part is bounded, so that they are linear in the length of what is read.
 */
export interface PeopleWords {
  /** The words that say a relation, or that it is a person and no more. */
  readonly relations: Readonly<Record<RelationKind | 'person', string>>;
  /** What a name looks like. */
  readonly name: string;
  /** Words that look like a name where one is expected, and are none. */
  readonly noNames: string;
  /** How speakers are called who have no name. */
  readonly speakers: string;
  /**
   * How a sentence names somebody: `{relation}` stands for the words above, `{name}` for the name, `{second}` for another one with it,
   * `{aside}` for a name that may as well be that of whom the sentence is said to.
   */
  readonly sentences: readonly string[];
  /** How a sentence speaks of somebody by a form of address, as `{name}`: who is spoken of so again and again is a person. */
  readonly spokenOf: readonly string[];
  /** How somebody says their own name, or names whom they speak to, as `{name}`: nobody to tell of. */
  readonly spokenTo: readonly string[];
}

import type { Clause, Rule } from './rule.ts';

/** What rating sentences needs to know of a language. */
export interface Language {
  /** Takes a sentence apart into clauses; `speakers` are names that may be subjects. */
  readonly parse: (sentence: string, speakers: ReadonlySet<string>) => readonly Clause[];
  readonly rules: readonly Rule[];
  /** A whole sentence that greets, thanks, agrees or exclaims and says nothing else. */
  readonly isSmallTalk: (sentence: string) => boolean;
  /** Whether an answer begins by saying yes. */
  readonly isYes: (text: string) => boolean;
  /** A yes-or-no question to `you` as the statement that a yes to it makes: `Are you allergic to nuts?` → `I am allergic to nuts`. */
  readonly toStatement: (question: string) => string | undefined;
}

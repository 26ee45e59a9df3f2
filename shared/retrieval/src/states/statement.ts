/** What somebody says is so, or is so no more, as far as the words tell it for sure. */
export interface Statement {
  /** Who it is about: `me`, or the words for somebody else. */
  readonly subject: string;
  /** What of them it says: `home`, `job`, …; absent where only the words tell what is over. */
  readonly attribute?: string | undefined;
  /** What is so from now on. */
  readonly now?: string | undefined;
  /** What is so no more, in the words in which it was said before. */
  readonly over?: string | undefined;
  /** What it is that has another value now: the wedding, the rent. */
  readonly of?: string | undefined;
  /** Whether it says that something has changed; else it only says what is so. */
  readonly isChange: boolean;
  /** The last year that it names. */
  readonly year?: number | undefined;
}

/** One sentence, and what it states. */
export interface StatedSentence {
  readonly text: string;
  readonly statements: readonly Statement[];
}

/** What a language brings to tell that something was replaced. */
export interface StateLanguage {
  /** Whether a text has a word that tells of change: what has none need not be read for it. */
  readonly mayChange: (text: string) => boolean;
  /** The sentences of a text with what they state; sentences that ask, quote or suppose state nothing. */
  readonly read: (text: string) => readonly StatedSentence[];
  /** Whether two subjects are one. */
  readonly isSameSubject: (a: string, b: string) => boolean;
  /** Whether what was said names something: all words of it. */
  readonly names: (said: string, thing: string) => boolean;
  /** Whether two values are, or may be, one. */
  readonly isSameValue: (a: string, b: string) => boolean;
}

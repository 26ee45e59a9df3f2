/** What kind of statement a sentence makes; `figure` is a number with its unit, `life` an event that changes a life. */
export type StatementKind =
  | 'safety'
  | 'life'
  | 'health'
  | 'preference'
  | 'relation'
  | 'identity'
  | 'plan'
  | 'event'
  | 'feeling'
  | 'figure';

/** The points of the scale that what is said is rated on, from the least important to the most. */
export type RatingLevel =
  | 'greeting'
  | 'question'
  | 'passing'
  | 'feeling'
  | 'ordinary'
  | 'dated'
  | 'goal'
  | 'lasting'
  | 'grave'
  | 'life';

/** Words that make one kind of statement. */
export interface StatementWords {
  readonly kind: StatementKind;
  readonly importance: RatingLevel;
  /** See {@link RatingWords} for how words are written. */
  readonly words: string;
  /** Counts only where a person or one of theirs stands before it (`I love`, not `love and patience`). */
  readonly own?: true;
  /** Importance when negated; 3 less, at least a remark, by default. */
  readonly negated?: RatingLevel;
  /** One more with a date. */
  readonly datable?: true;
}

/**
 * The words by which what is said is rated without a model. Words and phrases are separated by commas or line ends;
 * they are parts of regular expressions in which `{own}` stands for {@link own}, `*` for the rest of a word, and ` .. `
 * (`…` in Chinese) for up to three words (eight characters) between.
 */
export interface RatingWords {
  /** Matches text in this language. */
  readonly script: RegExp;
  /** Whether words are distinguished by spaces. */
  readonly spaced: boolean;
  /** What joins two clauses: the source of a regular expression, alternatives of fixed words. */
  readonly joints: string;
  readonly self: string;
  /** People and pets that belong to somebody. */
  readonly own: string;
  readonly listener: string;
  readonly others: string;
  readonly negations: string;
  readonly suppositions: string;
  /** Words that take back what a sentence says. */
  readonly jokes: string;
  readonly smallTalk: string;
  readonly yes: string;
  /** A question that a yes answers; its group is what it asks, said of the listener. */
  readonly asksListener: RegExp;
  /** What a yes says, made from the question. */
  readonly toAnswer: (matter: string) => string;
  /** Words of questions that a yes does not answer. */
  readonly openQuestions: string;
  readonly numbers: string;
  readonly times: string;
  readonly statements: readonly StatementWords[];
  /** Words of feeling, weak, clear and strong. */
  readonly good: readonly [string, string, string];
  readonly bad: readonly [string, string, string];
}

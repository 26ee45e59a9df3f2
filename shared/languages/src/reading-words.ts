/** What a model is asked about a conversation: to draw facts from it, to compare them with earlier ones, and to check them. */
export interface ReadingWords {
  /** What is to be written down, and how. */
  readonly instructions: string;
  /** The date of the conversation, as `day` writes it; undefined where nothing tells it. */
  readonly date: (day: string | undefined) => string;
  /** A day, `YYYY-MM-DD`, with its weekday, which counts from Sunday, 0: "last Friday" depends on it. */
  readonly day: (day: string, weekday: number) => string;
  readonly people: (names: readonly string[]) => string;
  /** What follows the name of a speaker who is no person. */
  readonly assistant: string;
  /** What stands above the turns before. */
  readonly before: string;
  /** What stands above the turns to read. */
  readonly piece: string;
  /** That the answer was cut off, and what is missing is to follow. */
  readonly rest: string;
  /** That the answer cannot be used, and why. */
  readonly repair: (problem: string) => string;
  /** A person who speaks as `user` alone, of whom nothing tells the name. */
  readonly unnamed: string;
  /**
   * How exports call that person, and how a model does at the beginning of a fact: sources of regular expressions, alternatives of fixed
   * words.
   */
  readonly user: { readonly speaker: string; readonly subject: string };
  /** The speakers that say by themselves that they are no persons; alternatives too. */
  readonly assistants: string;
  /** How new statements stand to earlier ones, and what marks a new one. */
  readonly decisions: { readonly instructions: string; readonly newStatement: string };
  /** Whether turns say what was written down of them, and what stands above both. */
  readonly support: { readonly instructions: string; readonly claims: string; readonly turns: string };
}

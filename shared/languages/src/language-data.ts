/** The words around the memories of a prompt. */
export interface PromptWords {
  /** Two lines: what the section is, and whom it is about. */
  readonly memories: readonly [string, string];
  /** The day, `YYYY-MM-DD`, and that later entries supersede earlier ones. */
  readonly today: (day: string) => string;
  /** That what stands between two marks is data. */
  readonly fence: string;
  /** That what stands between two marks next to a message is no words of the user's, and data. */
  readonly beside: string;
}

/** The words around a persona's texts. `name` is its display name. */
export interface PersonaWords {
  readonly heading: (name: string) => string;
  readonly systemPromptHeading: (name: string) => string;
  readonly safetyHeading: string;
  /** The name of a user who gives none. */
  readonly user: string;
}

/** The prompt "what do you know about me". */
export interface ReviewWords {
  readonly ask: string;
  readonly nothing: string;
  readonly list: string;
  readonly more: string;
  readonly missing: string;
}

/** Words that carry grammar rather than content: a search leaves them out. */
export interface SearchWords {
  /**
   * Separated by blanks, spelled as the tokeniser leaves them: lower case, without apostrophes (`dont`, and `youre` for those who
   * type it so). Words that are a name, a place or a state as well (English `us`, `may`, `ill`) are missing on purpose.
   */
  readonly stopWords: string;
  /** Of a language written without blanks: content words that contain one keep their pair. */
  readonly stopCharacters: string;
}

/** Words that tell a time by the day they are said on, each with how many units it is before (below 0) or after. */
export interface TimeWords {
  readonly day: Readonly<Record<string, number>>;
  readonly week: Readonly<Record<string, number>>;
  readonly month: Readonly<Record<string, number>>;
  readonly year: Readonly<Record<string, number>>;
  /** Days of a week, from Monday on: one follows a word of `week`, with `joint` between or without, and may end in `ending`. */
  readonly weekday: { readonly names: readonly string[]; readonly joint: string; readonly ending: string };
}

/** The titles of files and sections of agent memory: each is read in every language, and written in one. */
export type FileTitle =
  | 'role'
  | 'personality'
  | 'values'
  | 'behavior_rules'
  | 'basics'
  | 'interests'
  | 'goals'
  | 'preferences'
  | 'name'
  | 'age'
  | 'occupation'
  | 'summary'
  | 'entries'
  | 'enabled'
  | 'parameters'
  | 'agreement';

/** What stands in the Markdown files of agent memory. */
export interface FileWords {
  readonly titles: Readonly<Record<FileTitle, string>>;
  /** What entries are called in headings. */
  readonly entryTypes: Readonly<Record<'conversation' | 'decision' | 'summary' | 'manual', string>>;
  /** The files of a new workspace, with their sections empty. */
  readonly skeletons: Readonly<Record<'spirit' | 'owner' | 'tools' | 'longTerm', string>>;
  /** The headings of what is loaded for a session. */
  readonly context: Readonly<Record<'persona' | 'owner' | 'tools' | 'daily' | 'long_term' | 'hits', string>>;
  /** What to do first in a workspace where nothing is written yet. */
  readonly empty: string;
  /** What a new daily log begins with. `date` is `YYYY-MM-DD`. */
  readonly dailyLog: (date: string) => string;
}

/** What models are told of the stores. */
export interface Guides {
  readonly personalMemory: string;
  readonly projectMemoryTitle: string;
  readonly projectMemory: string;
}

/** All that depends on a language and is no rule of grammar. */
export interface LanguageData {
  readonly prompt: PromptWords;
  readonly persona: PersonaWords;
  readonly review: ReviewWords;
  readonly search: SearchWords;
  /** Where `shared/retrieval/src/time` has no readers of the language itself, as it has for Chinese and English. */
  readonly times?: TimeWords;
  readonly files: FileWords;
  readonly guides: Guides;
}

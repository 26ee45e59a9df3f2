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
  /** What stands behind a sentence that is so no more: from when on, `YYYY-MM` or a day, and what is so instead, where that is known. */
  readonly ended: (until: string, now: string | undefined) => string;
  /** What stands behind a sentence that never was so. */
  readonly corrected: (until: string, now: string | undefined) => string;
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
  /** Of a language written without blanks, separated by blanks: words of a question that say nothing of what it is about. */
  readonly questionWords: string;
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

/** Who begins a line of a transcript. Each is the source of a regular expression: alternatives of fixed words. */
export interface RoleWords {
  /** Whoever writes the instructions of a prompt. */
  readonly system: string;
  /** The model, and those who speak with it. */
  readonly speakers: string;
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

/** How the stores are explained to models. */
export interface Guides {
  readonly personalMemory: string;
  readonly projectMemoryTitle: string;
  readonly projectMemory: string;
}

/** Words that are no tags of a note. */
export interface TagWords {
  /**
   * Separated by blanks: words that carry content in a question and none as a tag, such as verbs and adverbs that any note of a
   * project may have, in the forms in which notes have them.
   */
  readonly stopWords: string;
  /** Of a language written without blanks: characters that are words by themselves, such as particles, pronouns, numbers, common verbs. */
  readonly stopCharacters: string;
}

/**
 * Words by which a sentence about a project is known for what it is. Each is the source of a regular expression: alternatives of fixed
 * words, so that it is linear in the length of a sentence. Words of languages with blanks are matched whole. Empty: none.
 */
export interface ProjectWords {
  /** A rule where a person states it. */
  readonly rules: string;
  /** A rule whoever states it. */
  readonly strictRules: string;
  /** A rule where a clause begins with it. */
  readonly commands: string;
  /** Of rules: whether something is to be done or not; what remains is what the rule is about. */
  readonly polarity: string;
  /** Between a bound and its number: of two such rules on one thing the later holds. */
  readonly bounds: string;
  readonly decisions: string;
  /** A decision where a clause begins with it, next to a rule in the same sentence. */
  readonly uses: string;
  readonly causes: string;
  readonly tests: string;
  readonly openEnds: string;
  /** What says that something open is done. */
  readonly closed: string;
  /** What stands before the thing whose place another one takes. */
  readonly replaced: string;
  /** What ends the name of that thing. */
  readonly replacedEnds: string;
  /** What stands behind it instead. */
  readonly replacedBefore: string;
  /** Of decisions: what says that something is done, and not with what. */
  readonly generic: string;
  /** What says that things are other than before. */
  readonly changes: string;
  /** What says that something holds no more. */
  readonly withdrawn: string;
  /** What begins the reason of a statement, which is no part of what it is about. */
  readonly reasons: string;
  /** What joins two clauses, at the beginning of the second. */
  readonly joints: string;
  /** What tells nothing about what a note is about. */
  readonly tags: TagWords;
  /** What the outcome of a session is written down with: what was asked, and what came of it. */
  readonly session: { readonly request: string; readonly outcome: string };
}

/** All that depends on a language and is no rule of grammar. */
export interface LanguageData {
  readonly prompt: PromptWords;
  readonly persona: PersonaWords;
  readonly review: ReviewWords;
  readonly search: SearchWords;
  readonly roles: RoleWords;
  /** Where `shared/retrieval/src/time` has no readers of the language itself, as it has for Chinese and English. */
  readonly times?: TimeWords;
  readonly files: FileWords;
  readonly guides: Guides;
  readonly project: ProjectWords;
}

/** A port: words of about the same meaning, nearest first. */
export interface Thesaurus {
  /** For each word (lower case, folded, any form of it) its related ones; words that it does not know are left out. */
  readonly findRelated: (words: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
}

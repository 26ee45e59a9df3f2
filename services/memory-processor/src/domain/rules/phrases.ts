/** Word classes by the name that phrases call them by. */
export type WordClasses = Readonly<Record<string, string>>;

/** How a language writes phrases down as a pattern. */
export type Phrases = (...lines: readonly string[]) => RegExp;

/**
 * Makes the writer of a language's phrases. A phrase is a regular expression for the beginning of what is said, shortened:
 * `(a|b)` is a choice, `{kin}` a word class, `…` at the end stands for further words.
 * @param border what must not follow a phrase, e.g. a letter that would make its last word another word
 */
export function createPhrases(classes: WordClasses, border: string): Phrases {
  const toSource = (line: string): string => {
    const isOpen = line.endsWith('…');
    const source = line
      .replace(/…$/u, '')
      .replace(/\((?!\?)/gu, '(?:')
      .replace(/\{([a-z]\w*)\}/gu, (_match, name: string) => {
        const words = classes[name];
        if (words === undefined) throw new TypeError(`no word class is called ${name}`);
        return words;
      });
    return source + (isOpen ? '\\s*\\S' : border);
  };
  return (...lines) => new RegExp(`^(?:${lines.map(toSource).join('|')})`, 'u');
}

/** Joins words into a regular expression's alternatives; `_` stands for a space inside one. */
export function anyOf(words: string): string {
  return `(?:${words.trim().split(/\s+/u).join('|').replaceAll('_', '\\s')})`;
}

/** The same as {@link anyOf}, longer alternatives first: for matching that takes the first and never goes back. */
export function longestOf(words: string): string {
  return anyOf(
    words
      .trim()
      .split(/\s+/u)
      .sort((a, b) => b.length - a.length)
      .join(' '),
  );
}

/** Whether a text is nothing but pieces of one kind; in one pass, since `(a+)+` over what people repeat takes forever. */
export function consistsOf(piece: RegExp, text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const length = piece.exec(rest)?.[0].length ?? 0;
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return true;
}

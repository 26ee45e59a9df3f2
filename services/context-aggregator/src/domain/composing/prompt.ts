import { DEFAULT_LANGUAGE, type Language } from '@contextloom/contracts';
import { detectLanguage, wordsOf } from '@contextloom/languages';
import { toLines } from '@contextloom/retrieval';

/** What a section says besides its lines. */
export interface SectionOptions {
  readonly language?: Language;
  /** The day to name, `YYYY-MM-DD`: then the section also says that later entries supersede earlier ones. */
  readonly today?: string | undefined;
}

const SEPARATOR = '\n\n---\n\n';
const CONTINUATION = '\n  ';
/** From this share of its words on, a text's signs tell its language: names and code among them do not. */
const SIGNS_FROM = 0.2;
/** A run of letters, or a sign that is about a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{Script=Latin}{2,}|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Latin}])\p{L}){2,}/gu;
/** A text of fewer words tells no language. */
const LEAST_WORDS = 8;

/** A line of a section as a list item; its further lines are indented. */
export function toListItem(line: string): string {
  return `- ${toLines(line).join(CONTINUATION)}`;
}

/** The language of a persona's text; that of the design, Chinese, where it tells none. */
export function toLanguage(text: string): Language {
  const words = text.match(WORD)?.length ?? 0;
  return words < LEAST_WORDS ? DEFAULT_LANGUAGE : (detectLanguage(text, { signsFrom: SIGNS_FROM }) ?? DEFAULT_LANGUAGE);
}

/** Turns lines into a section with a title, ending with a newline; blank lines are skipped, none left gives "". */
export function toSection(title: readonly string[], lines: readonly string[]): string {
  const items = lines.filter((line) => line.trim() !== '').map(toListItem);
  if (items.length === 0) return '';
  return `${[...title, ...items].join('\n')}\n`;
}

/** Turns memories into the section that precedes the persona prompt. */
export function toMemorySection(
  memories: readonly string[],
  { language = DEFAULT_LANGUAGE, today }: SectionOptions = {},
): string {
  const words = wordsOf(language).prompt;
  return toSection([...words.memories, ...(today === undefined ? [] : [words.today(today)])], memories);
}

/** Puts what precedes it before the persona prompt, which stays as it came, byte for byte. */
export function toPrompt(personaPrompt: string, context: string): string {
  return context === '' ? personaPrompt : `${context}${SEPARATOR}${personaPrompt}`;
}

/** Puts what follows it behind the persona prompt. */
export function toPromptBefore(personaPrompt: string, context: string): string {
  return context === '' ? personaPrompt : `${personaPrompt}${SEPARATOR}${context}`;
}

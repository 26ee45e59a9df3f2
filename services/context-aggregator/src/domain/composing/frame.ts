import { LANGUAGES, type Language } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';
import { toLines } from '@contextloom/retrieval';
import { FENCE_MARK_LENGTH, toFenced } from '@contextloom/safety';
import { isMemories, type SectionEntry } from '../context-sources/context-source.ts';
import { withoutHidden } from '../firewall/hidden.ts';
import { neutralise } from '../firewall/markup.ts';
import { toMemorySection, toSection } from './prompt.ts';

/** The title of a section as its declaration words it, on one line, without brackets that end it and marks of other parts. */
export function toTitleText(title: string): string {
  const line = toLines(withoutHidden(title)).join(' ').replaceAll('[', '［').replaceAll(']', '］');
  return neutralise(line).trim();
}

/** What decides how a prompt looks besides its lines. */
export interface FrameOptions {
  /** Undefined while it is not known. */
  readonly language?: Language | undefined;
  /** The day that the prompt names, `YYYY-MM-DD`. */
  readonly today?: string | undefined;
  readonly fence?: boolean | undefined;
}

/** The tokens of what stands around lines; in the language that needs more, where it is not known. */
export interface Frame {
  /** Of the marks around all sections. */
  readonly ofAll: number;
  /** Of a section without its lines. */
  readonly of: (entry: SectionEntry) => number;
}

/** Where two texts are put together they may have a token more than alone. */
const JOINT = 2;

function toTitle({ name, title = name }: SectionEntry, language: Language): string {
  const text =
    typeof title === 'string'
      ? title
      : ([language, 'en' as const, ...LANGUAGES].map((one) => title[one]).find((one) => one !== undefined) ?? name);
  return `[${toTitleText(text)}]`;
}

/** A section of a prompt; "" without lines. */
export function toSectionText(
  entry: SectionEntry,
  texts: readonly string[],
  { language, today }: { readonly language: Language; readonly today?: string | undefined },
): string {
  if (isMemories(entry) && entry.title === undefined) return toMemorySection(texts, { language, today });
  return toSection([toTitle(entry, language)], texts);
}

/** Marks what is put together as data where that is wanted; next to a message always, and there as no words of the user's too. */
export function toMarked(
  body: string,
  {
    isBeside,
    fence = false,
    language,
  }: { readonly isBeside: boolean; readonly fence?: boolean; readonly language: Language },
): string {
  const words = wordsOf(language).prompt;
  if (isBeside) return toFenced(body, words.beside);
  return fence ? toFenced(body, words.fence) : body;
}

/** Measures what stands around the lines of a prompt. */
export function createFrame(
  { language: pinned, today, fence = false }: FrameOptions,
  countTokens: (text: string) => number,
): Frame {
  const most = (toText: (language: Language) => string): number =>
    Math.max(...(pinned === undefined ? LANGUAGES : [pinned]).map((language) => countTokens(toText(language))));
  const toFence = (language: Language): string => toMarked(' ', { isBeside: false, fence, language });
  return {
    // A mark is made of what it surrounds: in the worst case each of its characters is a token. Those of a block next to a message come on
    // top, so that a prompt tells the same lines in each place.
    ofAll: fence ? most(toFence) + 2 * FENCE_MARK_LENGTH : 0,
    of: (entry) => most((language) => `${toSectionText(entry, ['-'], { language, today })}\n`) + JOINT,
  };
}

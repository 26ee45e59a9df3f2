import type { Language } from '@contextloom/contracts';
import {
  ContextloomError,
  parseInput,
  type SpiritField,
  spiritFields,
  toComparableTitle,
} from '@contextloom/contracts';
import { inEachLanguage, wordsOf } from '@contextloom/languages';
import { z } from 'zod';
import type { SourceFile } from './source-file.ts';

const fieldTextSchema = z
  .union([z.string(), z.array(z.string())], { error: 'must be a text or a list of texts' })
  .transform((value) => (typeof value === 'string' ? value.trim() : value.map((item) => `- ${item}`).join('\n')));

const frontMatterSchema = z
  .object({
    role: fieldTextSchema,
    personality: fieldTextSchema,
    values: fieldTextSchema,
    behavior_rules: fieldTextSchema,
  })
  .partial();

const sectionStart = /^(?=##[ \t])/m;

interface Section {
  /** The line `## …` and what follows up to the next one, word for word. */
  readonly text: string;
  readonly body: string;
  readonly field: SpiritField | undefined;
}

/** A `SPIRIT.md`: its whole text, its front matter and its body. */
export interface SpiritFile extends SourceFile {
  readonly frontMatter: unknown;
  readonly body: string;
}

/**
 * Renders a `SPIRIT.md` to the persona's text: the four known sections in their order, each replaced by its field in the
 * front matter if it has one, then all others, word for word, without the `# ` title.
 * @throws ContextloomError `invalid` for a field of the wrong type, and without a role
 */
export function toSpiritText(file: SpiritFile, language: Language): string {
  const overrides = parseInput(frontMatterSchema, file.frontMatter, [`${file.path} front matter`]);
  const { intro, sections } = splitSections(file.body);
  if (overrides.role === undefined && !sections.some(({ field, body }) => field === 'role' && body.trim() !== '')) {
    throw new ContextloomError('invalid', `${file.path} needs a section "## ${wordsOf(language).files.titles.role}"`, {
      field: file.path,
    });
  }
  const known = spiritFields.flatMap((field) => {
    const override = overrides[field];
    if (override !== undefined) return [toSection(wordsOf(language).files.titles[field], override)];
    return sections.filter((section) => section.field === field).map(({ text }) => text);
  });
  const others = sections.filter(({ field }) => field === undefined).map(({ text }) => text);
  const blocks = [intro, ...known, ...others].map((block) => block.trimEnd()).filter((block) => block !== '');
  return `${blocks.join('\n\n')}\n`;
}

function toSection(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

function splitSections(text: string): { intro: string; sections: readonly Section[] } {
  const start = text.search(sectionStart);
  const intro = start === -1 ? text : text.slice(0, start);
  const sections = start === -1 ? [] : text.slice(start).split(sectionStart);
  return { intro: intro.replace(/^\s*#[ \t][^\n]*\n?\s*/, ''), sections: sections.map(toKnownSection) };
}

function toKnownSection(text: string): Section {
  const [heading = ''] = text.split('\n', 1);
  const title = toComparableTitle(heading.replace(/^##/, ''));
  const field = spiritFields.find((candidate) =>
    Object.values(inEachLanguage(({ files }) => files.titles[candidate])).some(
      (known) => toComparableTitle(known) === title,
    ),
  );
  return { text, body: text.slice(heading.length), field };
}

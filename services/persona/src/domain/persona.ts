import { ContextloomError, displayNameSchema, LANGUAGES, type Language } from '@contextloom/contracts';
import { detectLanguage } from '@contextloom/languages';
import { z } from 'zod';
import { parseJsonAs, type SourceFile } from './source-file.ts';
import { type SpiritFile, toSpiritText } from './spirit.ts';
import { parseWorldBook, type WorldBookEntry } from './worldbook.ts';

/** A complete persona: its texts as the author wrote them, with placeholders. */
export interface Persona {
  readonly name: string;
  readonly displayName: string;
  readonly language: Language;
  readonly description: string | undefined;
  readonly personaText: string;
  readonly safetyText: string;
  readonly worldBook: readonly WorldBookEntry[];
}

/** The files of a persona. */
export interface PersonaSource {
  readonly name: string;
  /** `persona.json`. */
  readonly settings: SourceFile | undefined;
  /** `persona.md` (Markdown, used unchanged) or `SPIRIT.md` (sections and front matter). */
  readonly text: (SourceFile & { readonly form: 'markdown' }) | (SpiritFile & { readonly form: 'spirit' });
  /** `safety.md`. */
  readonly safety: SourceFile | undefined;
  /** `worldbook/*.json`, in the order of their names. */
  readonly worldBook: readonly SourceFile[];
}

const settingsSchema = z.object({
  display_name: displayNameSchema.min(1, 'must not be blank').optional(),
  language: z.enum(LANGUAGES).optional(),
  description: z.string().optional(),
});

/**
 * Builds a persona from its files. Without `persona.json` the display name is the name with a capital, and the language is
 * that of the text.
 * @throws ContextloomError `invalid`, naming the file and what is wrong in it
 */
export function parsePersona(source: PersonaSource): Persona {
  const { name, text } = source;
  const settings = source.settings === undefined ? {} : parseJsonAs(settingsSchema, source.settings);
  const language = settings.language ?? detectLanguage(text.text, { signsFrom: 0 }) ?? 'en';
  if (text.text.trim() === '') {
    throw new ContextloomError('invalid', `${text.path} is empty; write who the persona is`, { field: text.path });
  }
  return {
    name,
    displayName: settings.display_name ?? name.charAt(0).toUpperCase() + name.slice(1),
    language,
    description: settings.description,
    personaText: text.form === 'spirit' ? toSpiritText(text, language) : text.text,
    safetyText: source.safety?.text ?? '',
    worldBook: parseWorldBook(source.worldBook),
  };
}

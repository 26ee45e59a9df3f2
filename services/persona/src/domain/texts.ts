import type { GivenNames } from './given-names.ts';
import { wordings } from './language.ts';
import type { Persona } from './persona.ts';
import { fillPlaceholders, type Names } from './placeholders.ts';

/** The persona under its heading, as written: placeholders stay open. */
export function toPersonaText(persona: Persona): string {
  return `${wordings[persona.language].personaHeading(persona.displayName)}\n\n${persona.personaText}`;
}

/** The safety guidelines under their heading, as written: placeholders stay open. */
export function toSafetyText(persona: Persona): string {
  return `${wordings[persona.language].safetyHeading}\n\n${persona.safetyText}`;
}

/** The names that a prompt uses when the caller gives none, or blank ones. */
export function toNames(persona: Persona, given: GivenNames): Names {
  const orElse = (name: string | undefined, fallback: string) =>
    name === undefined || name.trim() === '' ? fallback : name;
  return {
    user: orElse(given.user ?? given.user_name, wordings[persona.language].user),
    char: orElse(given.char ?? given.char_name, persona.displayName),
  };
}

/** The system prompt: heading, safety guidelines, two blank lines, persona; placeholders filled, nothing else touched. */
export function toSystemPrompt(persona: Persona, names: Names): string {
  const heading = wordings[persona.language].systemPromptHeading(persona.displayName);
  const safety = persona.safetyText === '' ? '' : `${endLine(persona.safetyText)}\n\n`;
  return `${heading}\n\n${fillPlaceholders(safety + persona.personaText, names)}`;
}

/** Two blank lines follow whether or not the text's last line is ended. */
function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

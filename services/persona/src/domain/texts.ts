import type { GivenNames } from '@contextloom/contracts/persona';
import { wordsOf } from '@contextloom/languages';
import type { Persona } from './persona.ts';

/** What `{{user}}` and `{{char}}` stand for. */
interface Names {
  readonly user: string;
  readonly char: string;
}

const placeholder = /\{\{[^\S\r\n]*(user|char)[^\S\r\n]*\}\}/gi;

/**
 * Replaces every `{{user}}` and `{{char}}` by the names; case and inner spaces do not matter. Names are literal: `$&`
 * means nothing in them, and a placeholder inside a name is not filled again.
 */
export function fillPlaceholders(text: string, names: Names): string {
  return text.replace(placeholder, (_match, which: string) =>
    which.toLowerCase() === 'user' ? names.user : names.char,
  );
}

/** The persona under its heading, as written: placeholders stay open. */
export function toPersonaText(persona: Persona): string {
  return `${wordsOf(persona.language).persona.heading(persona.displayName)}\n\n${persona.personaText}`;
}

/** The safety guidelines under their heading, as written: placeholders stay open. */
export function toSafetyText(persona: Persona): string {
  return `${wordsOf(persona.language).persona.safetyHeading}\n\n${persona.safetyText}`;
}

/** The names for a prompt: those of the caller, or defaults for missing and blank ones. */
export function toNames(persona: Persona, given: GivenNames): Names {
  const orElse = (name: string | undefined, fallback: string) =>
    name === undefined || name.trim() === '' ? fallback : name;
  return {
    user: orElse(given.user ?? given.user_name, wordsOf(persona.language).persona.user),
    char: orElse(given.char ?? given.char_name, persona.displayName),
  };
}

/** The system prompt: heading, safety guidelines, two blank lines, persona; placeholders filled, nothing else changed. */
export function toSystemPrompt(persona: Persona, names: Names): string {
  const heading = wordsOf(persona.language).persona.systemPromptHeading(persona.displayName);
  const safety = persona.safetyText === '' ? '' : `${endLine(persona.safetyText)}\n\n`;
  return `${heading}\n\n${fillPlaceholders(safety + persona.personaText, names)}`;
}

/** Ends the last line, so that two blank lines always follow. */
function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

import type { Tool } from '@contextloom/mcp-kit';
import type { Persona } from '../domain/persona.ts';
import { createGetPersona } from './get-persona.ts';
import { getSafetyGuidelines } from './get-safety-guidelines.ts';
import { createGetSystemPrompt } from './get-system-prompt.ts';
import { getWorldBookEntry } from './get-worldbook-entry.ts';
import { listWorldBookEntries } from './list-worldbook-entries.ts';
import type { PersonaDeps } from './persona-deps.ts';
import { searchWorldBook } from './search-worldbook.ts';

/** The tools of a persona; two carry its name. */
export function createTools(persona: Persona): readonly Tool<PersonaDeps>[] {
  return [
    createGetPersona(persona),
    createGetSystemPrompt(persona),
    getSafetyGuidelines,
    listWorldBookEntries,
    getWorldBookEntry,
    searchWorldBook,
  ];
}

import type { Operation } from '@contextloom/server-kit';
import type { Persona } from '../domain/persona.ts';
import type { PersonaDeps } from './deps.ts';
import { createGetPersona } from './get-persona.ts';
import { getSafetyGuidelines } from './get-safety-guidelines.ts';
import { createGetSystemPrompt } from './get-system-prompt.ts';
import { getWorldBookEntry } from './get-worldbook-entry.ts';
import { listWorldBookEntries } from './list-worldbook-entries.ts';
import { searchWorldBook } from './search-worldbook.ts';

/** The operations of a persona, in the order that clients see; the names of two contain its name. */
export function createOperations(persona: Persona): readonly Operation<PersonaDeps>[] {
  return [
    createGetPersona(persona),
    createGetSystemPrompt(persona),
    getSafetyGuidelines,
    listWorldBookEntries,
    getWorldBookEntry,
    searchWorldBook,
  ];
}

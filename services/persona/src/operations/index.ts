import type { Operation } from '@contextloom/server-kit';
import type { Persona } from '../domain/persona.ts';
import type { PersonaDeps } from './deps.ts';
import { createGetPersona, createGetSystemPrompt, getSafetyGuidelines } from './persona.ts';
import { getWorldBookEntry, listWorldBookEntries, searchWorldBook } from './worldbook.ts';

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

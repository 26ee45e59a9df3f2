import { personaTextSchema } from '@contextloom/contracts/persona';
import type { OperationContext } from '@contextloom/server-kit';
import type { Persona } from '../domain/persona.ts';
import type { WorldBookSearch } from '../domain/worldbook-search.ts';

/** What the operations need: one persona, and a search of its world book. */
export interface PersonaDeps {
  readonly persona: Persona;
  readonly search: WorldBookSearch;
}

/** What a call of an operation brings. */
export type PersonaContext = OperationContext<PersonaDeps>;

/** The answer of an operation that gives one text: plain over MCP, and `{text}` in `structuredContent`. */
export const textAnswer = {
  output: personaTextSchema,
  toText: ({ text }: { readonly text: string }) => text,
};

import type { ToolAnnotations } from '@contextloom/mcp-kit';
import type { Persona } from '../domain/persona.ts';
import type { WorldBookSearch } from '../domain/worldbook-search.ts';

/** What the tools of a persona work on. */
export interface PersonaDeps {
  readonly persona: Persona;
  readonly search: WorldBookSearch;
}

/** A persona is only ever read, and lives in memory. */
export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

import type { Log } from '@contextloom/runtime';
import { createMcpServer, type McpServerFactory } from '@contextloom/server-kit';
import type { Persona } from './domain/persona.ts';
import { createWorldBookSearch } from './domain/worldbook-search.ts';
import { createOperations } from './operations/index.ts';
import { createPersonaPrompt } from './prompts/persona-prompt.ts';

/** What the server is built from. */
export interface PersonaServerOptions {
  readonly persona: Persona;
  readonly version: string;
  readonly log: Log;
}

/** Builds the MCP server `persona-<name>`. */
export function createPersonaServer({ persona, version, log }: PersonaServerOptions): McpServerFactory {
  const { name, displayName, description } = persona;
  return createMcpServer({
    name: `persona-${name}`,
    version,
    instructions: `${description ?? displayName}\n\nget_${name}_system_prompt gives the system prompt; search_worldbook finds details of the persona's world.`,
    operations: createOperations(persona),
    prompts: [createPersonaPrompt(persona)],
    deps: { persona, search: createWorldBookSearch(persona.worldBook) },
    log,
  });
}

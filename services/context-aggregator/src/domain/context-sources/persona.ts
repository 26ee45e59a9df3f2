const SERVER_PREFIX = 'persona-';

/** What the caller wants the persona and the user to be called; absent leaves it to the persona. */
export interface PersonaNames {
  readonly user_name?: string | undefined;
  readonly char_name?: string | undefined;
}

/** Key of a persona's server in the configuration. */
export function toPersonaServer(persona: string): string {
  return `${SERVER_PREFIX}${persona}`;
}

/** Name of the tool, or MCP prompt, that gives a persona's system prompt. */
export function toPersonaTool(persona: string): string {
  return `get_${persona}_system_prompt`;
}

/** The personas that the configuration's server names stand for, in alphabetical order. */
export function toPersonas(servers: readonly string[]): readonly string[] {
  return servers
    .filter((server) => server.startsWith(SERVER_PREFIX) && server.length > SERVER_PREFIX.length)
    .map((server) => server.slice(SERVER_PREFIX.length))
    .sort();
}

/** Ends an error about a persona by naming those that there are. */
export function describePersonas(personas: readonly string[]): string {
  if (personas.length === 0) return 'the configuration has no persona (an "mcpServers" entry named "persona-<name>")';
  return `the personas there are: ${personas.join(', ')}`;
}

function pick(accepted: ReadonlySet<string>, spellings: readonly string[], value: string | undefined) {
  const spelling = spellings.find((name) => accepted.has(name));
  return spelling === undefined || value === undefined ? [] : [[spelling, value] as const];
}

/** The arguments for a persona's tool or prompt: only names that it declares, in its own spelling, never null. */
export function toPersonaArguments(accepted: Iterable<string>, names: PersonaNames): Readonly<Record<string, string>> {
  const declared = new Set(accepted);
  return Object.fromEntries([
    ...pick(declared, ['user', 'user_name'], names.user_name),
    ...pick(declared, ['char', 'char_name'], names.char_name),
  ]);
}

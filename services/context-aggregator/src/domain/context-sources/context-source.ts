import {
  ContextloomError,
  freeFormObject,
  type JsonObject,
  LANGUAGES,
  parseInput,
  toFieldName,
  trustSchema,
} from '@contextloom/contracts';
import { inEachLanguage } from '@contextloom/languages';
import { z } from 'zod';
import { toPersonaServer } from './persona.ts';
import { findPlaceholders } from './template.ts';

/** What the templates of a source may name: the arguments of the call. */
export const CALL_VALUES = [
  'persona_name',
  'user_id',
  'user_query',
  'search_query',
  'user_name',
  'char_name',
  'memory_top_k',
  'now',
] as const;

/** Those that each question changes. */
const QUESTION_VALUES: readonly string[] = ['user_query', 'search_query', 'memory_top_k', 'now'];

const ONE_DAY_S = 86_400;
const titleSchema = z.union([
  z.string().max(200),
  z
    .strictObject(inEachLanguage(() => z.string().max(200).optional()))
    .refine(
      (titles) => LANGUAGES.some((language) => titles[language] !== undefined),
      `must have ${LANGUAGES.map((language) => `"${language}"`).join(' or ')}`,
    ),
]);

const commonFields = {
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 small letters, digits, "_" or "-"'),
  deadline_ms: z
    .number()
    .int()
    .min(1)
    .max(ONE_DAY_S * 1_000)
    .optional(),
  serve_stale_s: z.number().min(0).max(ONE_DAY_S).default(0),
};
const sectionFields = {
  trust: z.array(trustSchema).min(1).optional(),
  title: titleSchema.optional(),
  priority: z.number().min(0).max(100).default(50),
  share: z.number().gt(0).max(1).default(1),
  required: z.boolean().default(false),
};

const personaSchema = z.strictObject({ ...commonFields, use: z.literal('persona') });
const memoriesSchema = z.strictObject({ ...commonFields, ...sectionFields, use: z.literal('memories') });
const declaredSchema = z.strictObject({
  ...commonFields,
  ...sectionFields,
  server: z.string().min(1),
  arguments: freeFormObject('The arguments of the call.').default({}),
  tool: z.string().min(1).optional(),
  resource: z.string().min(1).optional(),
  prompt: z.string().min(1).optional(),
  items: z
    .string()
    .regex(/^(?:\/[^/]*)*$/, 'must be a JSON pointer such as "/forecast/days"')
    .optional(),
  line: z.string().min(1).optional(),
  min_score: z.number().min(0).optional(),
  part: z.enum(['core', 'recall']).optional(),
});

/** Where the persona's own prompt comes from: the server `persona-<name>`. */
export type PersonaEntry = Readonly<z.output<typeof personaSchema>>;
/** The memories of the user, from the knowledge base. */
export type MemoriesEntry = Readonly<z.output<typeof memoriesSchema>>;
/** Any server's tool, resource or prompt. */
export type DeclaredEntry = Readonly<z.output<typeof declaredSchema>>;
/** What a prompt is composed from, besides the persona. */
export type SectionEntry = MemoriesEntry | DeclaredEntry;

/** All that prompts are composed from; the sections stand in the order in which they were declared. */
export interface ContextSources {
  readonly persona: PersonaEntry;
  readonly sections: readonly SectionEntry[];
}

/** What prompts are composed from where the configuration does not say: the memories, then the persona. */
export const DEFAULT_SOURCES: ContextSources = {
  persona: { name: 'persona', use: 'persona', serve_stale_s: 0 },
  sections: [{ name: 'memories', use: 'memories', priority: 50, share: 1, required: false, serve_stale_s: 0 }],
};

const refuse = (path: readonly (string | number)[], message: string): ContextloomError => {
  const where = toFieldName(path);
  return new ContextloomError('invalid', `${where} ${message}`, { field: where });
};

type Path = readonly (string | number)[];

/** Whether a source asks for what is looked for, so that it has nothing to say where nothing is. */
export function isSearch({ arguments: given, resource = '' }: DeclaredEntry): boolean {
  return findPlaceholders({ ...given, resource }).includes('search_query');
}

/** Whether a source tells what seldom changes, whatever is asked: as it says itself, or as what it is asked with shows. */
export function isCore(entry: SectionEntry): boolean {
  if (isMemories(entry)) return false;
  const { part, arguments: given, resource = '' } = entry;
  if (part !== undefined) return part === 'core';
  return !findPlaceholders({ ...given, resource }).some((name) => QUESTION_VALUES.includes(name));
}

/** The server of a source that asks the persona of each call. */
export const PERSONA_SERVER = 'persona-{{persona_name}}';

function checkDeclared(entry: DeclaredEntry, path: Path, servers: readonly string[]): DeclaredEntry {
  const { server, tool, resource, prompt } = entry;
  if (server !== PERSONA_SERVER && !servers.includes(server)) {
    throw refuse(
      [...path, 'server'],
      `is "${server}", which is no entry of mcpServers; there are: ${servers.join(', ') || 'none'}`,
    );
  }
  if ([tool, resource, prompt].filter((one) => one !== undefined).length !== 1) {
    throw refuse(path, 'must name one of "tool", "resource" and "prompt"');
  }
  const known: readonly string[] = CALL_VALUES;
  for (const [key, template] of Object.entries({ arguments: entry.arguments, resource: resource ?? '' })) {
    const unknown = findPlaceholders(template).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw refuse([...path, key], `names {{${unknown}}}; a call has: ${known.join(', ')}`);
    }
  }
  return entry;
}

function parseEntry(value: unknown, path: Path, servers: readonly string[]): PersonaEntry | SectionEntry {
  const { use } = (typeof value === 'object' && value !== null ? value : {}) as { readonly use?: unknown };
  if (use === 'persona') return parseInput(personaSchema, value, path);
  if (use === 'memories') return parseInput(memoriesSchema, value, path);
  if (use !== undefined) throw refuse([...path, 'use'], 'must be "persona" or "memories", or be absent');
  return checkDeclared(parseInput(declaredSchema, value, path), path, servers);
}

/**
 * Reads the key `contextSources`; {@link DEFAULT_SOURCES} when it is absent. The persona need not be declared.
 * @throws ContextloomError `invalid`, naming the path of what is wrong
 */
export function parseContextSources(value: unknown, file: string, servers: readonly string[]): ContextSources {
  if (value === undefined) return DEFAULT_SOURCES;
  const path = [file, 'contextSources'];
  const list = parseInput(z.array(z.unknown(), { error: 'must be a list' }), value, path);
  const entries = list.map((entry, at) => parseEntry(entry, [...path, at], servers));
  const names = entries.map(({ name }) => name);
  const repeated = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (repeated >= 0) throw refuse([...path, repeated, 'name'], `is "${names[repeated]}", as that of another source`);
  const isPersona = (entry: PersonaEntry | SectionEntry): entry is PersonaEntry =>
    'use' in entry && entry.use === 'persona';
  const personas = entries.filter(isPersona);
  if (personas.length > 1) throw refuse(path, 'must name one persona');
  return {
    persona: personas[0] ?? DEFAULT_SOURCES.persona,
    sections: entries.filter((entry): entry is SectionEntry => !isPersona(entry)),
  };
}

/** The server that a source asks in a call: the persona's own, where it says so. */
export function toServer({ server }: DeclaredEntry, { persona_name }: CallValues): string {
  return server === PERSONA_SERVER ? toPersonaServer(String(persona_name)) : server;
}

/** Whether a source is one of memories. */
export function isMemories(entry: SectionEntry): entry is MemoriesEntry {
  return 'use' in entry;
}

/** The values of a call that templates may name. */
export type CallValues = Readonly<Partial<Record<(typeof CALL_VALUES)[number], string | number>>> & JsonObject;

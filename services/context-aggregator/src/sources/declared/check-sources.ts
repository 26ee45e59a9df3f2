import { BOUND_KEY, ContextloomError, type JsonObject } from '@contextloom/contracts';
import type { Upstreams } from '@contextloom/mcp-client';
import { z } from 'zod';
import {
  type ContextSources,
  type DeclaredEntry,
  isMemories,
  PERSONA_SERVER,
} from '../../domain/context-sources/context-source.ts';
import { type ItemTemplate, toPointerKeys } from '../../domain/context-sources/items.ts';
import { toPersonaServer, toPersonas } from '../../domain/context-sources/persona.ts';
import { findPlaceholders } from '../../domain/context-sources/template.ts';

type Schema = Readonly<Record<string, unknown>>;

const toSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {});

/** The schema of a property; "{}" for one that is described in another way than by `properties`. */
const toProperty = (schema: Schema, key: string): Schema => toSchema(toSchema(schema['properties'])[key]);

/**
 * A field that the line of a source names and the items of its tool's answers do not have, as far as the tool describes them.
 * @param schema the tool's output schema, where it has one
 */
function findUnknownField(
  schema: unknown,
  { items = '', line = '' }: ItemTemplate,
): { readonly field: string; readonly known: string } | undefined {
  const found = toPointerKeys(items).reduce(toProperty, toSchema(schema));
  const item = found['type'] === 'array' ? toSchema(found['items']) : found;
  const known = Object.keys(toSchema(item['properties']));
  if (known.length === 0) return undefined;
  const field = findPlaceholders(line).find((name) => !known.includes(name.split('.')[0] ?? ''));
  return field === undefined ? undefined : { field, known: known.join(', ') };
}

/** How a server may be asked for its tools. */
export interface CheckOptions {
  readonly upstreams: Upstreams;
  readonly timeoutMs: number;
}

interface ToolSchema {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly required?: readonly string[] | undefined;
}

const refuse = (where: string, message: string): ContextloomError =>
  new ContextloomError('invalid', `${where} ${message}`, { field: where });

/** Whether a value that is written out suits the schema of its argument; a schema that cannot be read refuses nothing. */
function findMismatch(value: unknown, schema: unknown): string | undefined {
  try {
    return z.fromJSONSchema(schema as JsonObject).safeParse(value).error?.issues[0]?.message;
  } catch {
    return undefined; // The tool's schema uses what zod cannot read: the tool itself will check.
  }
}

/** What a tool is as a server lists it. */
interface ListedTool {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The parameters that a server of ours has fixed: it takes the value that it is bound to, and refuses any other. */
function readBound({ _meta }: ListedTool): readonly unknown[] {
  const bound = _meta?.[BOUND_KEY];
  return Array.isArray(bound) ? bound : [];
}

function checkArguments(entry: DeclaredEntry, listed: ListedTool, where: string): void {
  const { name: tool } = listed;
  const { properties = {}, required = [] } = listed.inputSchema as ToolSchema;
  const bound = readBound(listed);
  const names = Object.keys(properties);
  for (const [key, value] of Object.entries(entry.arguments)) {
    if (names.length > 0 && !names.includes(key) && !bound.includes(key)) {
      throw refuse(`${where}.arguments.${key}`, `is no argument of ${tool}; it has: ${names.join(', ')}`);
    }
    const mismatch = findPlaceholders(value).length === 0 ? findMismatch(value, properties[key] ?? {}) : undefined;
    if (mismatch !== undefined) throw refuse(`${where}.arguments.${key}`, `does not suit ${tool}: ${mismatch}`);
  }
  const missing = required.find((key) => !(key in entry.arguments));
  if (missing !== undefined) throw refuse(`${where}.arguments`, `lacks "${missing}", which ${tool} requires`);
}

function checkTool(entry: DeclaredEntry, listed: ListedTool, where: string): void {
  checkArguments(entry, listed, where);
  const unknown = findUnknownField(listed.outputSchema, entry);
  if (unknown !== undefined) {
    const { field, known } = unknown;
    throw refuse(
      `${where}.line`,
      `names {{${field}}}, which an item of ${listed.name} does not have; it has: ${known}`,
    );
  }
}

/** Whether the server has what the entry names: one that does not answer yet is checked again when it is used. */
async function checkEntry(
  entry: DeclaredEntry,
  where: string,
  { upstreams, timeoutMs, isPersona }: CheckOptions & { readonly isPersona: boolean },
): Promise<boolean> {
  const { server, tool, prompt } = entry;
  if (tool !== undefined) {
    const listed = await upstreams.listTools(server, { timeoutMs });
    if (listed.kind !== 'ok') return false;
    const found = listed.value.find(({ name }) => name === tool);
    const names = listed.value.map(({ name }) => name).join(', ');
    if (found === undefined && isPersona) return false; // Personas need not have what others have.
    if (found === undefined)
      throw refuse(`${where}.tool`, `is "${tool}", which ${server} does not offer; it offers: ${names}`);
    checkTool(entry, found, where);
  }
  if (prompt !== undefined) {
    const listed = await upstreams.listPrompts(server, { timeoutMs });
    if (listed.kind !== 'ok' || listed.value.some(({ name }) => name === prompt)) return listed.kind === 'ok';
    throw refuse(`${where}.prompt`, `is "${prompt}", which ${server} does not offer`);
  }
  return true;
}

/**
 * Holds the declared sources against what their servers offer; a server that does not answer in time is not checked.
 * @throws ContextloomError `invalid`, naming the path of a tool, prompt or argument that there is not
 */
export async function checkSources(sources: ContextSources, options: CheckOptions): Promise<void> {
  await Promise.all(
    sources.sections.map(async (entry, at) => {
      if (isMemories(entry)) return;
      const where = `contextSources[${at}] (${entry.name})`;
      const isPersona = entry.server === PERSONA_SERVER;
      const servers = isPersona ? toPersonas(options.upstreams.names()).map(toPersonaServer) : [entry.server];
      // Each persona is a process: the first that has the tool tells whether it is called rightly.
      const deadline = AbortSignal.timeout(options.timeoutMs);
      for (const server of servers) {
        if (deadline.aborted || (await checkEntry({ ...entry, server }, where, { ...options, isPersona }))) return;
      }
    }),
  );
}

import { ContextloomError, type JsonObject } from '@contextloom/contracts';
import type { Upstreams } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { type ContextSources, type DeclaredEntry, isMemories } from '../domain/context-source.ts';
import { findPlaceholders } from '../domain/template.ts';

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

function checkArguments(entry: DeclaredEntry, tool: string, schema: ToolSchema, where: string): void {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  for (const [key, value] of Object.entries(entry.arguments)) {
    if (names.length > 0 && !names.includes(key)) {
      throw refuse(`${where}.arguments.${key}`, `is no argument of ${tool}; it has: ${names.join(', ')}`);
    }
    const mismatch = findPlaceholders(value).length === 0 ? findMismatch(value, properties[key] ?? {}) : undefined;
    if (mismatch !== undefined) throw refuse(`${where}.arguments.${key}`, `does not suit ${tool}: ${mismatch}`);
  }
  const missing = required.find((key) => !(key in entry.arguments));
  if (missing !== undefined) throw refuse(`${where}.arguments`, `lacks "${missing}", which ${tool} requires`);
}

async function checkEntry(entry: DeclaredEntry, where: string, { upstreams, timeoutMs }: CheckOptions): Promise<void> {
  const { server, tool, prompt } = entry;
  if (tool !== undefined) {
    const listed = await upstreams.listTools(server, { timeoutMs });
    if (listed.kind !== 'ok') return; // It may be started later, and is asked then.
    const found = listed.value.find(({ name }) => name === tool);
    const names = listed.value.map(({ name }) => name).join(', ');
    if (found === undefined)
      throw refuse(`${where}.tool`, `is "${tool}", which ${server} does not offer; it offers: ${names}`);
    checkArguments(entry, tool, found.inputSchema as ToolSchema, where);
  }
  if (prompt !== undefined) {
    const listed = await upstreams.listPrompts(server, { timeoutMs });
    if (listed.kind !== 'ok' || listed.value.some(({ name }) => name === prompt)) return;
    throw refuse(`${where}.prompt`, `is "${prompt}", which ${server} does not offer`);
  }
}

/**
 * Holds the declared sources against what their servers offer; a server that does not answer in time is not checked.
 * @throws ContextloomError `invalid`, naming the path of a tool, prompt or argument that there is not
 */
export async function checkSources(sources: ContextSources, options: CheckOptions): Promise<void> {
  await Promise.all(
    sources.sections.map(async (entry, at) => {
      if (!isMemories(entry)) await checkEntry(entry, `contextSources[${at}] (${entry.name})`, options);
    }),
  );
}

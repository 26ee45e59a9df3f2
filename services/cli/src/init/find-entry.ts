import { isContextloomError } from '@contextloom/contracts';
import { parseJsonc } from '@contextloom/mcp-client';
import { z } from 'zod';
import type { Machine } from '../machine.ts';
import type { McpClient } from './clients.ts';
import { parseToml } from './toml-entry.ts';
import { readIfThere, SERVER_NAME } from './write-client.ts';

const entrySchema = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
/** How a client starts this server. */
export type ClientEntry = z.output<typeof entrySchema>;

/** The entry of this server in a client's configuration; undefined where there is none that starts a program. */
export async function findEntry(client: McpClient, machine: Machine | undefined): Promise<ClientEntry | undefined> {
  const file = machine && client.toFile(machine);
  const text = file === undefined ? undefined : await readIfThere(file).catch(() => undefined);
  if (file === undefined || text === undefined) return undefined;
  try {
    const settings: unknown = client.format === 'toml' ? parseToml(text, file) : parseJsonc(text, file);
    return entrySchema.safeParse(Object(Object(settings)[client.section])[SERVER_NAME]).data;
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return undefined; // Broken: its client complains about it.
  }
}

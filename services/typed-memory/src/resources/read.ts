import { isContextloomError } from '@contextloom/contracts';
import { countsSchema, memorySchema } from '@contextloom/contracts/typed-memory';
import { z } from 'zod';
import { toShown } from '../operations/answers.ts';
import type { TypedMemoryDeps } from '../operations/deps.ts';

/** Whether the service can be used. */
export const statusSchema = z.object({
  status: z.enum(['running', 'degraded']),
  backend: z.string(),
  chat: z.boolean().describe('Whether memory_chat has a model, or the backend an agent that answers.'),
  version: z.string(),
  reason: z.string().optional(),
});

/** How many memories of each type a user has. */
export const statsSchema = z.object({
  user_id: z.string(),
  memory_summary: countsSchema,
  total_memories: z.int(),
});

/** Tries the backend out. */
export async function readStatus(
  { memory, backend, version }: TypedMemoryDeps,
  signal?: AbortSignal,
): Promise<z.input<typeof statusSchema>> {
  const show = () => ({ backend, chat: memory.canChat(), version });
  try {
    await memory.check(signal);
    return { status: 'running', ...show() };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { status: 'degraded', ...show(), reason: error.message };
  }
}

/** Counts the memories of a user. */
export async function readStats(
  userId: string,
  { memory }: TypedMemoryDeps,
  signal?: AbortSignal,
): Promise<z.input<typeof statsSchema>> {
  const counts = await memory.count(userId, signal);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { user_id: userId, memory_summary: counts, total_memories: total };
}

/** Shows one memory. */
export async function memoryResource(
  userId: string,
  id: string,
  { memory }: TypedMemoryDeps,
  signal?: AbortSignal,
): Promise<z.input<typeof memorySchema>> {
  return memorySchema.parse(toShown(await memory.read(userId, id, signal)));
}

import { ContextloomError } from '@contextloom/contracts';
import type { ProjectMemory } from './domain/project-memory.ts';

/** What tools and routes answer from. */
export interface MemoryDeps {
  readonly ownerId: string;
  /** Opens the memory at the first call; rejects while it cannot be opened. */
  readonly open: () => Promise<ProjectMemory>;
}

/** A call that may say whose memories it is about. */
export interface Owned {
  readonly owner_id?: string | undefined;
}

/**
 * The memory, if the caller may see it: calls in the name of another owner than the server's are refused.
 * @throws ContextloomError `forbidden`
 */
export async function openFor({ owner_id }: Owned, { ownerId, open }: MemoryDeps): Promise<ProjectMemory> {
  if (owner_id === undefined || owner_id === ownerId) return open();
  const message = 'ERR_OWNER_MISMATCH: this server keeps the memories of another owner; leave owner_id out';
  throw new ContextloomError('forbidden', message, { field: 'owner_id' });
}

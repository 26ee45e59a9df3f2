import type { Forgotten } from '@contextloom/contracts';
import { defineForgetUser } from '@contextloom/server-kit';
import type { ProjectMemory } from '../domain/project-memory.ts';
import { findOwnedElsewhere } from './archive-user.ts';
import { openFor, type ProjectMemoryDeps } from './deps.ts';

/** A memory has no author: what a text says of a person, people have to find. */
async function toNobodys(memory: ProjectMemory, userId: string): Promise<Forgotten> {
  const owned = await findOwnedElsewhere(memory, userId);
  const { erased } = await memory.forgetOwner(true);
  if (erased.every(({ count }) => count === 0)) return { erased: [], unreached: owned };
  const why =
    'they belong to the owner of the server (OWNER_ID) and name no author: search them for the person, and delete or correct those that tell of them';
  return { erased: [], unreached: [...owned, { what: 'memories of projects', why }] };
}

/** Forgets the owner of the memories; nobody else has any. */
export const forgetUser = defineForgetUser<ProjectMemoryDeps>({
  scope: 'none',
  path: '/forget_user',
  erases: 'all memories with versions, decisions and links, where the user is their owner (OWNER_ID),',
  forget: async ({ userId, isDryRun }, context) => {
    const memory = await openFor({}, context);
    return userId === context.deps.ownerId ? memory.forgetOwner(isDryRun) : toNobodys(memory, userId);
  },
});

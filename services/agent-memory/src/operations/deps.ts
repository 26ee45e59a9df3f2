import type { Principal } from '@contextloom/access';
import { ContextloomError, type Forgotten, type Unreached } from '@contextloom/contracts';
import type { OperationContext } from '@contextloom/server-kit';
import type { AgentMemory } from '../domain/agent-memory.ts';

/** What the operations and resources need: the memory, which only callers get whom the workspace is for. */
export interface AgentMemoryDeps {
  /** Whether a caller reaches the user whose workspace it is. */
  readonly isFor: (principal: Principal) => boolean;
  /** Whose workspace it is, marked on answers, so that a gateway shows them to no other user; empty without an owner. */
  readonly owner: { readonly user_id?: string };
  /** @throws ContextloomError `forbidden` for a caller of other users */
  readonly memoryFor: (principal: Principal) => AgentMemory;
  /** Counts what there is of a user, and erases it unless it is a dry run. */
  readonly forget: (userId: string, isDryRun: boolean) => Promise<Forgotten>;
}

/** What a call of an operation brings. */
export type AgentMemoryContext = OperationContext<AgentMemoryDeps>;

/** A memory, and whose it is. */
export interface OwnedMemory {
  readonly memory: AgentMemory;
  /** The user whose workspace it is; without one it is for every caller. */
  readonly userId?: string | undefined;
  /** Counts what the workspace has of its user, and erases it unless it is a dry run. */
  readonly forgetOwner?: ((isDryRun: boolean) => Promise<Forgotten>) | undefined;
}

/** Why a user's records cannot be told from others' where the workspace names none. */
const NOBODY = 'the workspace names no user (AGENT_MEMORY_USER_ID): look through its files yourself';

/** What of a user cannot be told from others' in a workspace that names none; nothing where there are no files. */
export async function toNobodys(memory: Pick<AgentMemory, 'listFiles'>): Promise<readonly Unreached[]> {
  const files = await memory.listFiles();
  return files.length === 0 ? [] : [{ what: 'what the files may say', why: NOBODY }];
}

/** Of whom it is not known whose the workspace is, nothing is erased. */
function toForget({ memory, userId, forgetOwner }: OwnedMemory): AgentMemoryDeps['forget'] {
  return async (asked, isDryRun) => {
    if (userId === undefined) return { erased: [], unreached: await toNobodys(memory) };
    if (userId !== asked || forgetOwner === undefined) return { erased: [], unreached: [] };
    return forgetOwner(isDryRun);
  };
}

/** Hands a memory out to the callers whom it is for. */
export function toDeps(owned: OwnedMemory): AgentMemoryDeps {
  const { memory, userId } = owned;
  const isFor = ({ users }: Principal): boolean => userId === undefined || users === 'all' || users.includes(userId);
  return {
    isFor,
    forget: toForget(owned),
    owner: userId === undefined ? {} : { user_id: userId },
    memoryFor: (principal) => {
      if (isFor(principal)) return memory;
      throw new ContextloomError('forbidden', 'this workspace belongs to a user whom this caller may not name');
    },
  };
}

/** Where the REST routes stand. */
export const ROOT = '/api/v1/memory';
/** What a write over REST may be refused with. */
export const writeErrors = ['conflict', 'forbidden', 'no_space', 'unavailable'] as const;

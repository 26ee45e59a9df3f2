import type { Principal } from '@contextloom/access';
import { ContextloomError, type UserStore } from '@contextloom/contracts';
import type { OperationContext } from '@contextloom/server-kit';
import type { AgentMemory } from '../domain/agent-memory.ts';
import { createUserStore, type OwnedMemory } from '../domain/user-store.ts';

/** What the operations and resources need: the memory, available only to callers who may use this workspace. */
export interface AgentMemoryDeps {
  /** Whether a caller reaches the user whose workspace it is. */
  readonly isFor: (principal: Principal) => boolean;
  /** Whose workspace it is, marked on answers, so that a gateway shows them to no other user; empty without an owner. */
  readonly owner: { readonly user_id?: string };
  /** @throws ContextloomError `forbidden` for a caller of other users */
  readonly memoryFor: (principal: Principal) => AgentMemory;
  /** The store of its user. @throws ContextloomError `forbidden` for a caller of other users */
  readonly storeFor: (principal: Principal) => UserStore;
}

/** What a call of an operation brings. */
export type AgentMemoryContext = OperationContext<AgentMemoryDeps>;

/** Hands a memory out to the callers whom it is for. */
export function toDeps(owned: OwnedMemory): AgentMemoryDeps {
  const { memory, userId } = owned;
  const store = createUserStore(owned);
  const isFor = ({ users }: Principal): boolean => userId === undefined || users === 'all' || users.includes(userId);
  const requireFor = (principal: Principal): void => {
    if (isFor(principal)) return;
    throw new ContextloomError('forbidden', 'this workspace belongs to a user whom this caller may not name');
  };
  return {
    isFor,
    owner: userId === undefined ? {} : { user_id: userId },
    memoryFor: (principal) => {
      requireFor(principal);
      return memory;
    },
    storeFor: (principal) => {
      requireFor(principal);
      return store;
    },
  };
}

/** Where the REST routes stand. */
export const ROOT = '/api/v1/memory';
/** What a write over REST may be refused with. */
export const writeErrors = ['conflict', 'forbidden', 'no_space', 'unavailable'] as const;

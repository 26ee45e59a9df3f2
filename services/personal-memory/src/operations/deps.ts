import type { OperationContext } from '@contextloom/server-kit';
import type { MemoryContext } from '../domain/context.ts';
import { createToEnd, type ToLifetime } from '../domain/ends/to-end.ts';
import type { UserStoreOptions } from '../domain/transfer/user-store.ts';

/** What the operations need: a store, and what the context of every user has in common. */
export interface PersonalMemoryDeps extends UserStoreOptions {
  readonly toLifetime?: ToLifetime | undefined;
}

/** What a call of an operation brings. */
export type PersonalMemoryContext = OperationContext<PersonalMemoryDeps>;

/** Works on the memory of the user that a call names. */
export function withMemoryOf<T>(
  userId: string,
  { deps: { store, onlyUser: _, toLifetime, ...common } }: Pick<PersonalMemoryContext, 'deps'>,
  work: (context: MemoryContext) => T | Promise<T>,
): Promise<T> {
  const toEnd = createToEnd(userId, { toLifetime, clock: common.clock });
  return store.use(userId, (memory) => work({ ...common, memory, toEnd }));
}

import type { Principal } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import type { OperationContext } from '@contextloom/server-kit';
import type { ProjectMemory } from '../domain/project-memory.ts';

/** What operations and routes answer from. */
export interface ProjectMemoryDeps {
  readonly ownerId: string;
  /** Opens the memory at the first call; rejects while it cannot be opened. */
  readonly open: () => Promise<ProjectMemory>;
  /** Whether the embedder is a part of this program, which cannot be away. */
  readonly isEmbedderLocal?: boolean | undefined;
}

/** What a call of an operation brings. */
export type ProjectMemoryContext = OperationContext<ProjectMemoryDeps>;

/** A call that may say whose memories it is about. */
export interface Owned {
  readonly owner_id?: string | undefined;
}

/** Who calls, and what answers: an operation's context, or what a route has of it. */
export interface Caller {
  readonly deps: ProjectMemoryDeps;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** @throws ContextloomError `forbidden` for another owner than the server's */
export function requireOwner(named: unknown, { ownerId }: ProjectMemoryDeps): void {
  if (typeof named !== 'string' || named === ownerId) return;
  const message = 'ERR_OWNER_MISMATCH: this server keeps the memories of another owner; leave owner_id out';
  throw new ContextloomError('forbidden', message, { field: 'owner_id' });
}

/**
 * The memory of the projects that the caller reaches. Calls in the name of another owner than the server's are refused.
 * @throws ContextloomError `forbidden`
 */
export async function openFor({ owner_id }: Owned, { deps, principal, signal }: Caller): Promise<ProjectMemory> {
  requireOwner(owner_id, deps);
  const { projects } = principal;
  return (await deps.open()).within({ projects: projects === 'all' ? undefined : projects, signal });
}

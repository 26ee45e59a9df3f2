import type { AgentMemory } from '../domain/agent-memory.ts';

/** What the tools and routes need. */
export interface AgentMemoryDeps {
  readonly memory: AgentMemory;
}

const closed = { openWorldHint: false };
/** Hints of a tool that only reads. */
export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, ...closed };
/** Hints of a tool that adds, and takes nothing away. */
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, ...closed };
/** Hints of a tool that replaces or removes. */
export const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, ...closed };

import type { OperationContext } from '@contextloom/server-kit';
import type { TypedMemory } from '../domain/typed-memory.ts';

/** What the tools work with. */
export interface TypedMemoryDeps {
  readonly memory: TypedMemory;
  /** How many results a search gives when it does not say. */
  readonly searchLimit: number;
  /** Where memories are kept, to people. */
  readonly backend: string;
  readonly version: string;
}

/** What a call of an operation brings. */
export type TypedMemoryContext = OperationContext<TypedMemoryDeps>;

/** Where an operation stands in the HTTP mirror, which MCP's description explains as well. */
export function toolRoute(name: string) {
  return { method: 'post', path: `/tools/${name}`, errors: ['unavailable', 'timeout'] } as const;
}

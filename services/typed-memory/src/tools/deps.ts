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

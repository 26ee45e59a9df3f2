import type { AgentMemoryDeps } from '../tools/deps.ts';

/** What the routes need: the same as the tools. */
export type MemoryApiDeps = AgentMemoryDeps;

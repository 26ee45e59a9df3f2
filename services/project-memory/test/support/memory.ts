import { randomUUID } from 'node:crypto';
import { countTokens, createLexicalEmbedder } from '@contextloom/llm';
import { type Analyst, analyseByRules } from '../../src/domain/ingest/analysis.ts';
import { splitContent } from '../../src/domain/ingest/prepare.ts';
import type { Verdict } from '../../src/domain/memory.ts';
import { createProjectMemory, type ProjectMemory, type ProjectMemoryOptions } from '../../src/domain/project-memory.ts';
import type { MemoryStore } from '../../src/domain/store.ts';
import type { Layout } from '../../src/store/postgres/schema/layout.ts';
import { createSqlMemoryStore } from '../../src/store/sql-memory-store.ts';
import type { TestDatabase } from './databases.ts';

export const embedder = createLexicalEmbedder();
export const NOW = new Date('2026-03-01T12:00:00Z');
export const NOW_S = NOW.getTime() / 1_000;

export const split = (content: string): readonly string[] => splitContent(content, countTokens);

/** A store over a database, for the vectors of the lexical embedder. */
export function openStore({ toEngine }: Pick<TestDatabase, 'toEngine'>, layout?: Layout): Promise<MemoryStore> {
  return createSqlMemoryStore(toEngine({ layout }), { space: embedder.identity, onMismatch: 'refuse', split });
}

/** An arbiter that always says the same. */
export function createArbiter(action: Verdict['action']): Analyst {
  return {
    analyse: async (content) => analyseByRules(content),
    arbitrate: async () => ({ action, model: 'scripted' }),
  };
}

/** The memory of an owner of its own. */
export function createMemory(
  store: MemoryStore,
  options: Partial<ProjectMemoryOptions> = {},
): { readonly memory: ProjectMemory; readonly ownerId: string } {
  const ownerId = options.ownerId ?? `owner-${randomUUID()}`;
  const memory = createProjectMemory({
    store,
    analyst: createArbiter('KEEP_BOTH'),
    embed: (texts) => embedder.embed(texts),
    embedQuery: async (query) => (await embedder.embed([query]))[0],
    countTokens,
    clock: () => NOW,
    newId: randomUUID,
    ...options,
    ownerId,
  });
  return { memory, ownerId };
}

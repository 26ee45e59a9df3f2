import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLexicalEmbedder } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { createPersonalMemoryServer } from '../../src/build-server.ts';
import { drawTrends } from '../../src/charts/draw-trends.ts';
import { toSearchable } from '../../src/domain/context.ts';
import type { ToLifetime } from '../../src/domain/ends/to-end.ts';
import type { MemoryStore } from '../../src/domain/store.ts';
import { createPerUserStore } from '../../src/store/per-user-store.ts';
import { openSharedStore } from '../../src/store/shared-store.ts';

const embedder = createLexicalEmbedder();

/** Makes the vector of a text, as the server does by default. */
export async function embed(text: string): Promise<Float32Array | undefined> {
  return (await embedder.embed([text]))[0];
}

/** What a store of memories is opened with in tests. */
export const storeOptions = {
  toSearchable: (text: string) => toSearchable(text, { embed }),
  dimensions: embedder.identity.dimensions,
  fingerprint: 'lexical',
  threads: 0,
};

/** Makes a folder of its own. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'contextloom-personal-'));
}

/** Removes what {@link makeFolder} made. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The two ways in which users are kept apart. */
export const schemes = ['shared', 'per-user'] as const;
export type Scheme = (typeof schemes)[number];

/** Opens a store in a folder. */
export function openStore(folder: string, scheme: Scheme = 'shared'): MemoryStore {
  const options = { ...storeOptions, backupFolder: join(folder, 'backups') };
  return scheme === 'shared'
    ? openSharedStore({ ...options, file: join(folder, 'memory.db') })
    : createPerUserStore({ ...options, folder: join(folder, 'users'), maxOpen: 2 });
}

/** A clock that tests set. */
export function createClock(start = '2025-10-28T12:00:00Z') {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    set: (text: string) => {
      time = Date.parse(text);
    },
    addDays: (days: number) => {
      time += 86_400_000 * days;
    },
  };
}

/** How a server is made in tests. */
export interface ServerChoice {
  readonly userId?: string | undefined;
  readonly clock?: Pick<ReturnType<typeof createClock>, 'now'>;
  readonly zone?: string;
  readonly hasRelations?: boolean;
  readonly maxEvents?: number;
  readonly toLifetime?: ToLifetime;
}

/** Builds a server over a store. */
export function createServer(store: MemoryStore, choice: ServerChoice = {}) {
  const { userId, clock = createClock(), zone = 'UTC', hasRelations = true, maxEvents = 100 } = choice;
  const deps = { store, embed, drawTrends, clock: clock.now, zone, maxEvents };
  return createPersonalMemoryServer({
    ...deps,
    userId,
    hasRelations,
    name: 'personal-memory',
    version: '0',
    log: silentLog,
    toLifetime: choice.toLifetime,
  });
}

/** A client whose tools' data are read without ceremony. */
export interface MemoryClient extends TestClient {
  /** The data of a tool's answer. @throws Error with the answer's text when the call failed */
  readonly ask: (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** The text of a call that has to fail. */
  readonly fail: (tool: string, args?: Record<string, unknown>) => Promise<string>;
}

function toMemoryClient(client: TestClient): MemoryClient {
  return {
    ...client,
    ask: async (tool, args = {}) => {
      const { isError, text, structured } = await client.callTool(tool, args);
      if (isError) throw new Error(text);
      return structured as Record<string, unknown>;
    },
    fail: async (tool, args = {}) => {
      const { isError, text } = await client.callTool(tool, args);
      if (!isError) throw new Error(`${tool} did not fail: ${text}`);
      return text;
    },
  };
}

/** Connects a client to a server over a store: by 2025-11-25, or by 2026-07-28. */
export async function connect(
  store: MemoryStore,
  choice: ServerChoice = { userId: 'ann' },
  era: 'old' | 'new' = 'old',
) {
  const server = createServer(store, choice);
  return toMemoryClient(await (era === 'old' ? connectInMemory(server) : connectOverFetch(server)));
}

import { randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { type Log, readSettings, silentLog } from '@contextloom/runtime';
import { createTypedMemoryServer } from '../../src/build-server.ts';
import { type Config, settings } from '../../src/config.ts';
import type { TypedMemory } from '../../src/domain/typed-memory.ts';
import type { TypedMemoryStore } from '../../src/domain/typed-memory-store.ts';
import { openTypedMemory } from '../../src/open-typed-memory.ts';
import { openVault } from '../../src/open-vault.ts';
import type { ToLifetime } from '../../src/store/knowledge-base/ends.ts';
import { createKnowledgeBaseStore } from '../../src/store/knowledge-base/knowledge-base-store.ts';

/** A key for vaults. */
export const vaultKey = randomBytes(32);
/** When tests take place, unless they say otherwise: a Wednesday. */
export const today = new Date('2026-03-11T09:00:00Z');

/** The knowledge base at an address. */
export const openTestKnowledge = (url: string) => createHttpKnowledgeBase({ url, log: silentLog, newId: randomUUID });

/** A store in it. */
export function openTestStore(
  url: string,
  clock: () => Date = () => new Date(),
  toLifetime?: ToLifetime,
): TypedMemoryStore {
  return createKnowledgeBaseStore({ knowledge: openTestKnowledge(url), clock, toLifetime });
}

/** How a test's service differs from a usual one. */
export interface TestServiceOptions {
  readonly store: TypedMemoryStore;
  readonly env?: Readonly<Record<string, string>>;
  /** No key is set: `keyFile` is where one is looked for and made. */
  readonly key?: Buffer | null;
  readonly keyFile?: string;
  readonly oldKey?: Buffer;
  readonly clock?: () => Date;
  readonly log?: Log;
}

/** The service over a store, as the server puts it together. */
export async function openTestService(options: TestServiceOptions): Promise<{ memory: TypedMemory; config: Config }> {
  const {
    store,
    env = {},
    key = vaultKey,
    oldKey,
    keyFile = '/nonexistent/key',
    clock = () => new Date(),
    log = silentLog,
  } = options;
  const config = readSettings(settings, env).values;
  const vault = await openVault(
    { vaultKey: key?.toString('base64'), vaultKeyFile: undefined, vaultOldKey: oldKey?.toString('base64') },
    { log, keyFile },
  );
  return { config, memory: await openTypedMemory({ config, store, vault, clock, newId: randomUUID, log }) };
}

/** The server over a store, for one user, or for many without one. */
export async function openTestServer(userId: string | undefined, options: TestServiceOptions) {
  const { memory, config } = await openTestService(options);
  const { searchLimit } = config;
  const { backend } = options.store;
  return createTypedMemoryServer({
    memory,
    searchLimit,
    backend,
    userId,
    version: '0.0.0',
    log: options.log ?? silentLog,
  });
}

/** A log that keeps all that is written to it. */
export function createKeptLog(): { readonly log: Log; readonly text: () => string } {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(inspect({ ...fields, message }, { depth: 9, maxStringLength: null }));
  };
  return { log: { debug: write, info: write, warn: write, error: write }, text: () => lines.join('\n') };
}

/** A user whom no other test knows. */
export const newUser = (): string => `user-${randomUUID()}`;

import type { TypedMemoryStore } from '../../src/domain/typed-memory-store.ts';
import type { MirixGeneration } from '../../src/store/mirix/mirix-api.ts';
import { createMirixHttp } from '../../src/store/mirix/mirix-http.ts';
import { createMirixStore } from '../../src/store/mirix/mirix-store.ts';
import type { ScriptedMirix } from './scripted-mirix.ts';

/** How a test's store differs from a usual one. */
export interface MirixStoreSettings {
  readonly apiKey?: string | undefined;
  readonly timeoutMs?: number;
  readonly generation?: MirixGeneration;
}

const agentConfig = { llm_config: { model: 'scripted' }, embedding_config: { embedding_model: 'scripted' } };

/** A store in a scripted MIRIX server, with its key unless told otherwise. */
export function openMirixTestStore(
  mirix: Pick<ScriptedMirix, 'url' | 'apiKey'>,
  settings: MirixStoreSettings = {},
): TypedMemoryStore {
  const { apiKey = mirix.apiKey, timeoutMs = 20_000, generation } = settings;
  const http = createMirixHttp({ url: mirix.url, apiKey, timeoutMs, fetch: globalThis.fetch });
  return createMirixStore({ http, generation, agentConfig });
}

/** The same, while somebody switches the desktop application to each user before anything is done for them. */
export function openFollowedStore(mirix: ScriptedMirix): TypedMemoryStore {
  const store = openMirixTestStore(mirix);
  return {
    ...store,
    add: (userId, ...rest) => {
      mirix.activate(userId);
      return store.add(userId, ...rest);
    },
    search: (userId, ...rest) => {
      mirix.activate(userId);
      return store.search(userId, ...rest);
    },
    get: (userId, ...rest) => {
      mirix.activate(userId);
      return store.get(userId, ...rest);
    },
    overview: (userId, ...rest) => {
      mirix.activate(userId);
      return store.overview(userId, ...rest);
    },
  };
}

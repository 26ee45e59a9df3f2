import { readFile } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import { openChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { createSearchCache } from './cache/search-cache.ts';
import type { Config } from './config.ts';
import { toMemoryType } from './domain/memory-type.ts';
import { createTypedMemory, type TypedMemory } from './domain/typed-memory.ts';
import type { TypedMemoryStore } from './domain/typed-memory-store.ts';
import type { VaultAccess } from './domain/vault/vault.ts';
import { createImageFetcher } from './images/fetch-image.ts';
import { createImageLoader } from './images/load-image.ts';
import { createCategorizer, createProfileWriter } from './model/ask-model.ts';
import { createBackendChat } from './model/backend-chat.ts';
import { createChat } from './model/chat.ts';

/** What the service is put together from. */
export interface OpenTypedMemoryOptions {
  readonly config: Config;
  readonly store: TypedMemoryStore;
  readonly vault: VaultAccess;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

async function readPersona(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').catch((cause: unknown) => {
    const field = 'CHAT_PERSONA_FILE';
    throw new ContextloomError('invalid', `${field} cannot be read`, { field, cause });
  });
}

/** Puts the service together: with a model there is a chat, readable profiles and proposed types; without one there are rules. */
export async function openTypedMemory(options: OpenTypedMemoryOptions): Promise<TypedMemory> {
  const { config, store, clock, log, newId } = options;
  const { timeZone: zone, historyTokens } = config;
  const [model, persona] = await Promise.all([openChatModel(config), readPersona(config.personaFile)]);
  const asking = model && { model, log };
  const memory = createTypedMemory({
    ...options,
    cache: createSearchCache({ store, now: () => clock().getTime() }),
    autoCategorize: config.autoCategorize,
    zone,
    defaultType: toMemoryType(config.defaultType),
    categorize: asking && createCategorizer(asking),
    writeProfile: asking && createProfileWriter(asking),
    log: (fields, message) => log.info(fields, message),
  });
  const loadImages = createImageLoader({ fetchImage: createImageFetcher() });
  if (asking !== undefined) {
    const chat = createChat({ ...asking, memory, loadImages, persona, historyTokens, newId, zone });
    return { ...memory, chat, canChat: () => true };
  }
  const { agent } = store;
  const chat = agent && createBackendChat({ agent, loadImages });
  return { ...memory, chat, canChat: () => agent?.isThere() ?? false };
}

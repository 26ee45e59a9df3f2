import { readFile } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import { openChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { createSearchCache } from './cache/search-cache.ts';
import type { Config } from './config.ts';
import { type Chat, type LoadImages, requireAnswer } from './domain/chat.ts';
import { toMemoryType } from './domain/memory-type.ts';
import { createTypedMemory, type TypedMemory } from './domain/typed-memory.ts';
import type { BackendAgent, TypedMemoryStore } from './domain/typed-memory-store.ts';
import type { VaultAccess } from './domain/vault/vault.ts';
import { createImageFetcher } from './images/fetch-image.ts';
import { createImageLoader } from './images/load-image.ts';
import { createCategorizer, createProfileWriter } from './model/ask-model.ts';
import { createChat } from './model/chat.ts';

/** What chats of a backend are answered with. */
interface BackendChatOptions {
  readonly agent: BackendAgent;
  readonly loadImages: LoadImages;
}

const PRIVATE = 'a part of the message is marked as private, so the backend was asked to keep nothing of it';

/** Builds the chat over the agent of a backend: it searches, answers and keeps by itself. Images are checked as always. */
function createBackendChat({ agent, loadImages }: BackendChatOptions): Chat {
  return async (userId, { message, kept, memorizing: isWanted, imageUris, onText, signal }) => {
    // It keeps what it will of a message that it sees.
    const memorizing = isWanted && kept === message;
    const images = await loadImages(imageUris, signal);
    const response = await agent.answer(userId, { message, images, memorizing }, signal);
    requireAnswer(response, 'the backend');
    onText(response);
    if (!memorizing) return { response, updates: [], note: isWanted ? PRIVATE : undefined };
    const note = 'the backend keeps what it finds worth keeping, and does not tell what that is';
    return { response, updates: [], isHandedOver: true, note };
  };
}

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

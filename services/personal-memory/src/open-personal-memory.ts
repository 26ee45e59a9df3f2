import { dirname, join, resolve } from 'node:path';
import { createQueryEmbedder, type Embedder, type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import { readSearchQuery, toEmbeddedQuery, toRelevanceScale } from '@contextloom/retrieval/ranking';
import type { Log } from '@contextloom/runtime';
import { type EmbedText, toSearchable } from './domain/context.ts';
import type { MemoryStore } from './domain/store.ts';
import { createPerUserStore } from './store/per-user-store.ts';
import { openSharedStore } from './store/shared-store.ts';

/** The settings that decide where and how memories are stored. */
export interface StoreChoice extends EmbeddingChoice {
  readonly dbPath: string | undefined;
  readonly dataDir: string;
  readonly storage: 'shared' | 'per-user';
  readonly backupDir: string | undefined;
  readonly encryptionKey: string | undefined;
}

/** The paths of a memory. */
export interface MemoryPlace {
  /** The database of all users; unused when each user has a file. */
  readonly file: string;
  readonly usersFolder: string;
  readonly backupFolder: string;
}

/** Resolves the paths of a memory. */
export function toPlace({
  dbPath,
  dataDir,
  backupDir,
}: Pick<StoreChoice, 'dbPath' | 'dataDir' | 'backupDir'>): MemoryPlace {
  const file = resolve(dbPath ?? join(dataDir, 'memory.db'));
  const folder = dirname(file);
  return {
    file,
    usersFolder: join(folder, 'users'),
    backupFolder: backupDir === undefined ? join(folder, 'backups') : resolve(backupDir),
  };
}

/** An open store, and the embedder of its texts. */
export interface OpenedMemory {
  readonly store: MemoryStore;
  readonly embed: EmbedText;
  readonly place: MemoryPlace;
}

/** The index fingerprint: it changes with the embedder, and with how rows become texts. */
function toFingerprint({ identity }: Embedder): string {
  return JSON.stringify([identity.provider, identity.model, identity.dimensions, 'texts 1']);
}

/**
 * Opens the memories.
 * @throws ContextloomError for an embedder that is set up wrong, or a file that cannot be used
 */
export async function openPersonalMemory(choice: StoreChoice, { log }: { readonly log: Log }): Promise<OpenedMemory> {
  const place = toPlace(choice);
  const embedder = await openEmbedder(choice);
  const onFailure = (cause: unknown): void =>
    log.warn({ cause }, 'the embedder is out of reach: texts are stored without vectors and found by their words');
  const embedPassage = createQueryEmbedder({ embed: embedder.embed }, { onFailure });
  const embedQuery = createQueryEmbedder(embedder, { onFailure });
  const scale = toRelevanceScale(embedder.identity);
  const embed: EmbedText = (text, purpose) =>
    purpose === 'query' ? embedQuery(toEmbeddedQuery(text, readSearchQuery(text), scale)) : embedPassage(text);
  const options = {
    toSearchable: (text: string) => toSearchable(text, { embed }),
    dimensions: embedder.identity.dimensions,
    fingerprint: toFingerprint(embedder),
    scale,
    backupFolder: place.backupFolder,
    cipherKey: choice.encryptionKey,
  };
  const store =
    choice.storage === 'shared'
      ? openSharedStore({ ...options, file: place.file })
      : createPerUserStore({ ...options, folder: place.usersFolder });
  return { store, embed, place };
}

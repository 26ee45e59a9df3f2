import { dirname, join, resolve } from 'node:path';
import { createQueryEmbedder, type Embedder, type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import { toSearchable } from './domain/context.ts';
import type { MemoryStore } from './domain/store.ts';
import { createPerUserStore } from './store/per-user-store.ts';
import { openSharedStore } from './store/shared-store.ts';

/** What decides where memories are kept and how. */
export interface StoreChoice extends EmbeddingChoice {
  readonly dbPath: string | undefined;
  readonly dataDir: string;
  readonly storage: 'shared' | 'per-user';
  readonly backupDir: string | undefined;
  readonly encryptionKey: string | undefined;
}

/** Where everything is. */
export interface MemoryPlace {
  /** The database of all users; with a file for each, its folder has theirs. */
  readonly file: string;
  readonly usersFolder: string;
  readonly backupFolder: string;
}

/** Works out where everything is. */
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

/** An open store, and what makes texts ready for it. */
export interface OpenedMemory {
  readonly store: MemoryStore;
  readonly embed: (text: string) => Promise<Float32Array | undefined>;
  readonly place: MemoryPlace;
}

/** Names what derives the index: another embedder, or other texts of the same rows, make another one. */
function toFingerprint({ identity }: Embedder): string {
  return JSON.stringify([identity.provider, identity.model, identity.dimensions, 'texts 1']);
}

/**
 * Opens the memories.
 * @throws ContextloomError for an embedder that is set up wrong, or a file that cannot be used
 */
export async function openMemory(choice: StoreChoice, { log }: { readonly log: Log }): Promise<OpenedMemory> {
  const place = toPlace(choice);
  const embedder = await openEmbedder(choice);
  const onFailure = (cause: unknown): void =>
    log.warn({ cause }, 'the embedder is out of reach: texts are stored, and found by their words');
  const embed = createQueryEmbedder(embedder, { onFailure });
  const options = {
    toSearchable: (text: string) => toSearchable(text, { embed }),
    dimensions: embedder.identity.dimensions,
    fingerprint: toFingerprint(embedder),
    backupFolder: place.backupFolder,
    cipherKey: choice.encryptionKey,
  };
  const store =
    choice.storage === 'shared'
      ? openSharedStore({ ...options, file: place.file })
      : createPerUserStore({ ...options, folder: place.usersFolder });
  return { store, embed, place };
}

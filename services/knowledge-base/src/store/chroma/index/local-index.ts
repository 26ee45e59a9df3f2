import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { platform } from 'node:process';
import { isContextloomError } from '@contextloom/contracts';
import type { DocumentStore } from '../../../domain/store.ts';
import { openSqliteStore, type SqliteStoreSettings } from '../../sqlite/store.ts';
import type { ChromaAddress } from '../connection/address.ts';

/*
 * What a search needs is derived of the rows and kept here, in a file as the embedded store has one: searches are the same, and
 * take no request. The file is worth nothing on its own: without it, it is made of the rows again. Each embedder has its own,
 * so that one that takes over leaves that of the former in use until it is done.
 */

/** Where the index of a store on a server is kept. */
export interface IndexPlace {
  readonly folder: string;
  readonly cacheBytes?: number;
}

const toDigest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);

const toPrefix = ({ url, tenant, database, collection }: ChromaAddress): string =>
  `chroma-${toDigest([url, tenant, database, collection])}-`;

function removeFiles(folder: string, isUnwanted: (name: string) => boolean): void {
  for (const name of readdirSync(folder)) if (isUnwanted(name)) rmSync(join(folder, name), { force: true });
}

/** The socket at which this process answers others over the same folder while it writes to a store. */
export function toSocket(address: ChromaAddress, folder: string, id: string): string {
  const name = `${toPrefix(address).slice(0, -1)}.${id.slice(0, 8)}.sock`;
  return platform === 'win32' ? `\\\\?\\pipe\\${join(folder, name)}` : join(folder, name);
}

/** Removes the sockets of writers of a store that were killed. */
export function removeOldSockets(socket: string): void {
  if (platform === 'win32') return;
  const [folder, name] = [dirname(socket), basename(socket)];
  const [own] = name.split('.');
  removeFiles(folder, (one) => one.startsWith(`${own}.`) && one.endsWith('.sock') && one !== name);
}

/** The index of a store on a server, and the files of those that other embedders had. */
export interface LocalIndex {
  readonly store: DocumentStore;
  /** Removes what is kept here of the same store for other embedders. */
  removeOthers(): void;
}

/** Opens the index of this embedder; one that cannot be used is made anew. */
export async function openLocalIndex(
  address: ChromaAddress,
  { folder, cacheBytes }: IndexPlace,
  settings: SqliteStoreSettings,
): Promise<LocalIndex> {
  const { provider, model, dimensions } = settings.embedder;
  const prefix = toPrefix(address);
  const name = `${prefix}${toDigest([provider, model, dimensions])}.sqlite`;
  const open = () =>
    openSqliteStore({ ...settings, file: join(folder, name), ...(cacheBytes !== undefined && { cacheBytes }) });
  const store = await open().catch((error: unknown) => {
    if (!isContextloomError(error) || error.code !== 'unavailable') throw error;
    removeFiles(folder, (one) => one.startsWith(name));
    return open();
  });
  return {
    store,
    removeOthers: () => removeFiles(folder, (one) => one.startsWith(prefix) && !one.startsWith(name)),
  };
}

import { ContextloomError } from '@contextloom/contracts';
import { ChromaClient, CloudClient, type Metadata } from 'chromadb';
import { createCollectionRows, type Rows } from '../rows/collection.ts';
import type { ChromaAddress } from './address.ts';
import { withChromaErrors } from './errors.ts';

/** A collection as the server names it, with what its metadata says. */
export interface FoundCollection {
  readonly name: string;
  readonly notes: Readonly<Record<string, unknown>>;
  readonly rows: Rows;
  /** Replaces the collection's metadata whole. */
  setNotes(notes: Metadata): Promise<void>;
}

/** What the store asks of a Chroma server besides the rows of a collection. Every call rejects with `ContextloomError`. */
export interface ChromaServer {
  /** What errors call the server. */
  readonly name: string;
  /** The server's version, such as `1.0.0`. */
  version(): Promise<string>;
  findCollection(name: string): Promise<FoundCollection | undefined>;
  /** Makes the collection, or gives the one that is there, whose metadata stays. */
  makeCollection(name: string, notes: Metadata): Promise<FoundCollection>;
  /** Removes the collection if it is there. */
  dropCollection(name: string): Promise<void>;
  /** Ends what is under way; every later call is `unavailable`. */
  close(): void;
}

function createClient({ url, apiKey, tenant, database }: ChromaAddress, signal: AbortSignal): ChromaClient {
  const place = { ...(tenant !== undefined && { tenant }), ...(database !== undefined && { database }) };
  if (url === undefined)
    return new CloudClient({ ...place, ...(apiKey !== undefined && { apiKey }), fetchOptions: { signal } });
  const { protocol, hostname, port } = new URL(url);
  const ssl = protocol === 'https:';
  return new ChromaClient({
    host: hostname,
    port: port === '' ? (ssl ? 443 : 80) : Number(port),
    ssl,
    tenant: 'default_tenant',
    database: 'default_database',
    ...place,
    ...(apiKey !== undefined && { headers: { 'x-chroma-token': apiKey } }),
    fetchOptions: { signal },
  });
}

/** Speaks to the Chroma server at an address; nothing is asked yet. */
export function connectToChroma(address: ChromaAddress): ChromaServer {
  const name = `Chroma at ${address.url ?? 'Chroma Cloud'}`;
  const closing = new AbortController();
  const client = createClient(address, closing.signal);
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing.signal.aborted) throw new ContextloomError('unavailable', 'the store is closed');
    return withChromaErrors(name, work);
  };
  const found = (collection: Awaited<ReturnType<ChromaClient['getCollection']>>): FoundCollection => ({
    name: collection.name,
    notes: collection.metadata ?? {},
    rows: createCollectionRows({
      collection: client.collection(collection.id),
      call,
      maxBatch: () => client.getMaxBatchSize(),
    }),
    setNotes: (metadata) => call(() => collection.modify({ metadata })),
  });
  const unlessMissing = <T>(error: unknown): T | undefined => {
    if (error instanceof ContextloomError && error.code === 'not_found') return undefined;
    throw error;
  };
  return {
    name,
    version: () => call(() => client.version()),
    findCollection: async (wanted) => {
      const collection = await call(() => client.getCollection({ name: wanted })).catch(unlessMissing<never>);
      return collection && found(collection);
    },
    makeCollection: async (wanted, metadata) =>
      found(
        await call(() =>
          client.getOrCreateCollection({
            name: wanted,
            metadata,
            embeddingFunction: null,
            configuration: { hnsw: { space: 'cosine' } },
          }),
        ),
      ),
    dropCollection: async (wanted) => {
      await call(() => client.deleteCollection({ name: wanted })).catch(unlessMissing<never>);
    },
    close: () => closing.abort(),
  };
}

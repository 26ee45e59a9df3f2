import { ContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';
import { ChromaClient, CloudClient, type Collection, type Metadata } from 'chromadb';
import { createCollectionRows, type Rows } from '../rows/collection.ts';
import { type ChromaAddress, toServerName } from './address.ts';
import { withChromaErrors } from './errors.ts';

/** A collection as the server names it, with what its metadata says. */
export interface FoundCollection {
  readonly name: string;
  readonly notes: Readonly<Record<string, unknown>>;
  readonly rows: Rows;
  /** Replaces the collection's metadata whole; rejects with `not_found` once the collection is gone. */
  setNotes(notes: Metadata): Promise<void>;
  /** Gives the collection another name, which no other may have. */
  rename(name: string): Promise<void>;
}

/** What the store asks of a Chroma server besides the rows of a collection. Every call rejects with `ContextloomError`. */
export interface ChromaServer {
  /** What errors call the server. */
  readonly name: string;
  /** The server's version, such as `1.0.0`. */
  version(): Promise<string>;
  findCollection(name: string): Promise<FoundCollection | undefined>;
  /** All collections whose names begin so. */
  findCollections(prefix: string): Promise<readonly FoundCollection[]>;
  /** Makes an empty collection; rejects with `conflict` where the name is taken: of several at once one makes it. */
  makeCollection(name: string, notes: Metadata): Promise<FoundCollection>;
  /** Removes the collection if it is there. */
  dropCollection(name: string): Promise<void>;
  /** Ends what is under way; every later call is `unavailable`. */
  close(): void;
}

/** How long a request may take, in milliseconds: one that lists a million ids takes some seconds. */
const REQUEST_MS = 60_000;
/** Collections that are listed in one request. */
const PAGE = 1_000;

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

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof ContextloomError && error.code === 'not_found') return undefined;
  throw error;
};

/** Speaks to the Chroma server at an address; nothing is requested yet. */
export function connectToChroma(address: ChromaAddress): ChromaServer {
  const name = toServerName(address);
  const closing = new AbortController();
  const client = createClient(address, closing.signal);
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing.signal.aborted) throw new ContextloomError('unavailable', 'the store is closed');
    return withDeadline(withChromaErrors(name, work), REQUEST_MS, toLate);
  };
  const toLate = (): Error =>
    new ContextloomError('unavailable', `${name} did not answer a request within ${REQUEST_MS / 1_000} s`);
  const found = (collection: Collection): FoundCollection => ({
    name: collection.name,
    notes: collection.metadata ?? {},
    rows: createCollectionRows({
      collection: client.collection(collection.id),
      call,
      maxBatch: () => client.getMaxBatchSize(),
    }),
    setNotes: (metadata) => call(() => collection.modify({ metadata })),
    rename: (wanted) => call(() => collection.modify({ name: wanted })),
  });
  return {
    name,
    version: () => call(() => client.version()),
    findCollection: async (wanted) => {
      const collection = await call(() => client.getCollection({ name: wanted })).catch(unlessMissing);
      return collection && found(collection);
    },
    findCollections: async (prefix) => {
      const all: Collection[] = [];
      for (let offset = 0; ; offset += PAGE) {
        const page = await call(() => client.listCollections({ limit: PAGE, offset }));
        all.push(...page);
        if (page.length < PAGE) break;
      }
      return all.filter((one) => one.name.startsWith(prefix)).map(found);
    },
    makeCollection: async (wanted, metadata) => {
      const configuration = { hnsw: { space: 'cosine' as const } };
      return found(
        await call(() => client.createCollection({ name: wanted, metadata, embeddingFunction: null, configuration })),
      );
    },
    dropCollection: async (unwanted) => {
      await call(() => client.deleteCollection({ name: unwanted })).catch(unlessMissing);
    },
    close: () => closing.abort(),
  };
}

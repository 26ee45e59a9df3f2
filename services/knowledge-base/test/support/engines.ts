import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe } from '@jest/globals';
import type { Isolation } from '../../src/domain/knowledge-base.ts';
import type { DocumentStore } from '../../src/domain/store.ts';
import { openSqliteStore, type SqliteStoreSettings } from '../../src/store/sqlite/store.ts';
import { type ChromaServer, describeWithChroma } from './chroma-server.ts';
import { makeIndexFolder, openChromaStoreAt, toAddress } from './chroma-store.ts';
import { createDatabase, describeWithPostgres, openPostgresStoreAt } from './postgres-store.ts';
import { makeFolder, openTemporary, type TemporaryKnowledgeBase } from './service.ts';
import { useSharedChroma } from './shared-chroma.ts';
import { embedder } from './stores.ts';

/** How a store is opened as another process, another version or another configuration does. */
export type OpenSiteOptions = Partial<
  Pick<SqliteStoreSettings, 'embedder' | 'onMismatch' | 'indexVersion' | 'derive' | 'log'>
>;

/** One place for documents, which stores are opened on one after the other, and at once where the engine takes several. */
export interface StoreSite {
  readonly open: (how?: OpenSiteOptions) => Promise<DocumentStore>;
  /** The settings of a process over the same documents. */
  readonly env: Record<string, string>;
  readonly remove: () => Promise<void>;
}

/** A kind of store to run a suite over. */
export interface Engine {
  readonly openSite: () => Promise<StoreSite>;
  readonly open: (isolation?: Isolation) => Promise<TemporaryKnowledgeBase>;
  /** Whether several processes may have one store open at once. */
  readonly takesSeveral: boolean;
  /** How many runs of a property fit: a call that takes one millisecond in a file takes twenty over a network. */
  readonly runs: { readonly many: number; readonly few: number };
}

async function openFileSite(): Promise<StoreSite> {
  const folder = await makeFolder();
  const file = join(folder, 'knowledge-base.sqlite');
  return {
    open: (how = {}) => openSqliteStore({ file, embedder: embedder.identity, ...how }),
    env: { KB_DATA_DIR: folder },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function openChromaSite(server: Pick<ChromaServer, 'url'>): Promise<StoreSite> {
  const address = toAddress(server);
  const folder = makeIndexFolder();
  return {
    open: ({ derive, log, ...how } = {}) =>
      openChromaStoreAt({ address, folder }, { ...how, ...(derive && { derive }), ...(log && { log }) }),
    env: { KB_DATA_DIR: folder, CHROMA_URL: server.url, CHROMA_COLLECTION: address.collection },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Describes something of a knowledge base over one kind of store, or over several. */
export type DescribeEngine = (name: string, suite: (engine: Engine) => void) => void;

/** Describes it over a store in a file. */
export const describeInFile: DescribeEngine = (name, suite) => {
  describe(`${name}, in a file`, () => {
    suite({
      open: openTemporary,
      openSite: openFileSite,
      takesSeveral: true,
      runs: { many: 100, few: 25 },
    });
  });
};

/** Describes it over a store on a Chroma server, which makes it a suite of `npm run test:e2e`. */
export const describeOnChroma: DescribeEngine = (name, suite) => {
  describeWithChroma(`${name}, on a Chroma server`, () => {
    let server: Pick<ChromaServer, 'url'>;
    beforeAll(async () => {
      server = await useSharedChroma();
    });
    suite({
      open: (isolation) => openTemporary(isolation, server),
      openSite: () => openChromaSite(server),
      takesSeveral: false,
      runs: { many: 25, few: 5 },
    });
  });
};

/** Describes it over a Postgres server, which makes it a suite of `npm run test:e2e`. */
export const describeOnPostgres: DescribeEngine = (name, suite) => {
  describeWithPostgres(`${name}, in Postgres`, (server) => {
    const openSite = async (): Promise<StoreSite> => {
      const [url, folder] = [await createDatabase(server()), await makeFolder()];
      return {
        open: ({ derive, log, ...how } = {}) =>
          openPostgresStoreAt(url, { ...how, ...(derive && { derive }), ...(log && { log }) }),
        env: { DATABASE_URL: url, KB_DATA_DIR: folder },
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    };
    suite({
      open: async (isolation) => openTemporary(isolation, { databaseUrl: await createDatabase(server()) }),
      openSite,
      takesSeveral: true,
      runs: { many: 50, few: 10 },
    });
  });
};

/** Describes it over each kind of store. */
export const describeEachEngine: DescribeEngine = (name, suite) => {
  describeInFile(name, suite);
  describeOnChroma(name, suite);
  describeOnPostgres(name, suite);
};

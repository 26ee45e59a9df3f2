import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { describeDocumentStore } from './store.contract.ts';
import { embedder, openTemporaryStore, readAllInThreads } from './support/stores.ts';

describeDocumentStore('in one SQLite file, all read in threads', () =>
  openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity, ...readAllInThreads })),
);

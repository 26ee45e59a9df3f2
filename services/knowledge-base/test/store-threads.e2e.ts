import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import { describeDocumentStore } from './store.contract.ts';
import { embedder, openTemporaryStore, readAllInThreads } from './support/stores.ts';

describeDocumentStore('in one SQLite file, all read in threads', () =>
  openTemporaryStore((file) => openEmbeddedStore({ file, embedder: embedder.identity, ...readAllInThreads })),
);

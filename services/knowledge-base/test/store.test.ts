import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import { describeDocumentStore } from './store.contract.ts';
import { embedder, openTemporaryStore } from './support/stores.ts';

describeDocumentStore('in one SQLite file', () =>
  openTemporaryStore((file) => openEmbeddedStore({ file, embedder: embedder.identity })),
);

import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import { describeDocumentStore } from './store.contract.ts';
import { describeTransfer } from './store-transfer.contract.ts';
import { embedder, openTemporaryStore } from './support/stores.ts';

const open = () => openTemporaryStore((file) => openEmbeddedStore({ file, embedder: embedder.identity }));

describeDocumentStore('in one SQLite file', open);
describeTransfer('in one SQLite file', open);

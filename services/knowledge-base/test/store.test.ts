import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { describeDocumentStore } from './store.contract.ts';
import { describeKeys } from './store-keys.contract.ts';
import { describeTransfer } from './store-transfer.contract.ts';
import { describeWaiting } from './store-waiting.contract.ts';
import { embedder, openTemporaryStore } from './support/stores.ts';

const openWith = (settings: Partial<Parameters<typeof openSqliteStore>[0]>) => () =>
  openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity, ...settings }));

describeDocumentStore('in one SQLite file', openWith({}));
describeDocumentStore('in one SQLite file, all read in one thread', openWith({ threads: 0 }));
describeKeys('in one SQLite file', openWith({}));
describeTransfer('in one SQLite file', openWith({}));
describeWaiting('in one SQLite file', openWith({}));

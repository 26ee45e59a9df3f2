import { describeDocumentStore } from './store.contract.ts';
import { describeKeys } from './store-keys.contract.ts';
import { describeTransfer } from './store-transfer.contract.ts';
import { describeWaiting } from './store-waiting.contract.ts';
import { describeWithPostgres, openTemporaryPostgresStore } from './support/postgres-store.ts';

describeWithPostgres('a Postgres server', (server) => {
  const open = () => openTemporaryPostgresStore(server());
  describeDocumentStore('in Postgres', open);
  describeDocumentStore('in Postgres, nothing kept in memory', () =>
    openTemporaryPostgresStore(server(), { cacheBytes: 0 }),
  );
  describeKeys('in Postgres', open);
  describeTransfer('in Postgres', open);
  describeWaiting('in Postgres', open);
});

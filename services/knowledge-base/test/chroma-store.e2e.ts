import type { Document } from '@contextloom/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DocumentStore } from '../src/domain/store.ts';
import { readStoredEmbedder } from '../src/store/chroma/rows/inspect.ts';
import { describeDocumentStore } from './store.contract.ts';
import { describeKeys } from './store-keys.contract.ts';
import { describeTransfer } from './store-transfer.contract.ts';
import { describeWaiting } from './store-waiting.contract.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, openTemporaryChromaStore, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { derive, embedder, everyone, toDocument, toWrites } from './support/stores.ts';

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const other = { provider: 'openai', model: 'text-embedding-3-small', dimensions: embedder.identity.dimensions };

const put = async (store: DocumentStore, ...documents: readonly Document[]) =>
  store.put(await toWrites(...documents), times);
const readOne = async (store: DocumentStore, id: string) => (await store.read([id], everyone))[0];

describeWithChroma('a Chroma server', () => {
  let server: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    server = await useSharedChroma();
  });

  describeDocumentStore('on a Chroma server', () => openTemporaryChromaStore(server));
  describeKeys('on a Chroma server', () => openTemporaryChromaStore(server));
  describeTransfer('on a Chroma server', () => openTemporaryChromaStore(server));
  describeWaiting('on a Chroma server', () => openTemporaryChromaStore(server));

  describe('a Chroma store and its embedder', () => {
    it('tells which embedder filled it, once it holds a document', async () => {
      const address = toAddress(server);
      expect(await readStoredEmbedder(address)).toBeUndefined();
      const store = await openChromaStoreAt({ address });
      expect(await readStoredEmbedder(address)).toBeUndefined();
      await put(store, toDocument('a', 'green tea'));
      expect(await readStoredEmbedder(address)).toEqual(embedder.identity);
      await store.close();
    });

    it('refuses to open what another embedder filled, and says how to fill it again', async () => {
      const address = toAddress(server);
      const store = await openChromaStoreAt({ address });
      await put(store, toDocument('a', 'green tea'));
      await store.close();
      const refusal = {
        code: 'unavailable',
        message: expect.stringMatching(/lexical .*openai /),
        cause: expect.objectContaining({ message: expect.stringContaining('dist/reembed.js') }),
      };
      await expect(openChromaStoreAt({ address }, { embedder: other })).rejects.toMatchObject(refusal);
      const rebuild = await openChromaStoreAt({ address }, { embedder: other, onMismatch: 'rebuild' });
      await expect(rebuild.stats({ kind: 'everyone' })).rejects.toMatchObject({ code: 'unavailable' });
      expect(await rebuild.rebuild(derive)).toEqual({ kind: 'complete', documents: 1 });
      await rebuild.close();
      await expect(openChromaStoreAt({ address })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('openai'),
      });
      const reopened = await openChromaStoreAt({ address }, { embedder: other });
      expect((await readOne(reopened, 'a'))?.document.content).toBe('green tea');
      await reopened.close();
    });

    it('belongs to whichever embedder comes next while it is empty', async () => {
      const address = toAddress(server);
      await (await openChromaStoreAt({ address })).close();
      const store = await openChromaStoreAt({ address }, { embedder: other });
      await put(store, toDocument('a'));
      await store.close();
      await expect(openChromaStoreAt({ address })).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('lets the later of two rebuildings go on, and ends the earlier one', async () => {
      const store = await openChromaStoreAt({ address: toAddress(server) });
      await put(store, toDocument('a'), toDocument('b'));
      let later: ReturnType<typeof store.rebuild> | undefined;
      const earlier = store.rebuild(async (documents) => {
        later ??= store.rebuild(derive);
        await later;
        return derive(documents);
      });
      const endings = await Promise.allSettled([earlier, earlier.catch(() => later)]);
      expect(endings).toMatchObject([
        { status: 'rejected', reason: { code: 'conflict' } },
        { status: 'fulfilled', value: { documents: 2 } },
      ]);
      expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 2 });
      await store.close();
    });
  });
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@contextloom/sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import { migrations } from '../src/store/schema.ts';
import { makeFolder } from './support/service.ts';
import { derive, embedder, everyone, toDocument, toWrites } from './support/stores.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'kb.sqlite');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const other = { provider: 'openai', model: 'text-embedding-3-small', dimensions: embedder.identity.dimensions };

async function fill(): Promise<void> {
  const store = await openEmbeddedStore({ file, embedder: embedder.identity });
  await store.put(await toWrites(toDocument('a', 'green tea'), toDocument('b', '绿茶')), {
    at: '2025-01-01T00:00:00.000Z',
    keepOwners: true,
  });
  await store.close();
}

describe('the embedded store', () => {
  it('refuses another embedder than its own, naming both and the command that fills it anew', async () => {
    await fill();
    await expect(openEmbeddedStore({ file, embedder: other })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/lexical .* openai text-embedding-3-small .*--rebuild-index/),
    });
  });

  it('keeps its documents readable for a rebuilding, and mixes no vectors before it', async () => {
    await fill();
    const store = await openEmbeddedStore({ file, embedder: other, onMismatch: 'rebuild' });
    expect(await store.read(['a', 'b'], everyone)).toHaveLength(2);
    const query = { tokens: { terms: ['tea'], unigrams: [] }, vector: new Float32Array(other.dimensions) };
    await expect(store.find(query, everyone, 5)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.rebuild(derive)).toBe(2);
    expect((await store.find(query, everyone, 5)).byWords.map(({ id }) => id)).toEqual(['a']);
    await store.close();
  });

  it('refuses a file of a newer program, and leaves it as it is', async () => {
    await fill();
    const newer = openDatabase({ file, migrations: [...migrations, 'CREATE TABLE of_the_future (x)'] });
    newer.close();
    await expect(openEmbeddedStore({ file, embedder: embedder.identity })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

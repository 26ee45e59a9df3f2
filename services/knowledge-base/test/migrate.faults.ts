import { startHttpGate } from '@contextloom/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { COUNT, fill, listFile, openFolder, runMigrate } from './support/migrating.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { everyone } from './support/stores.ts';

describeWithChroma('the migrate command', () => {
  let chroma: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    chroma = await useSharedChroma();
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('ended by %s half-way goes on when it is run again', async (signal) => {
    const folder = await openFolder();
    await fill(folder);
    const collection = `cut-off-${signal}`;
    const gate = await startHttpGate(chroma.url, { path: '/upsert', nth: 3 });
    const first = runMigrate('chroma', folder, collection, gate);
    await gate.reached;
    first.child.kill(signal);
    if (signal === 'SIGINT') gate.open();
    const { code, stdout } = await first.ended;
    await gate.close();
    expect(code).toBe(signal === 'SIGINT' ? 130 : null);
    if (signal === 'SIGINT') expect(stdout).toMatch(/Interrupted after \d+ documents .* --to chroma goes on/);
    expect(await runMigrate('chroma', folder, collection, chroma).ended).toMatchObject({ code: 0 });
    const store = await openChromaStoreAt({ address: toAddress(chroma, collection) });
    expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: COUNT + 1, vectors: COUNT + 1 });
    expect((await store.list(everyone, { limit: 10_000 })).documents).toEqual(await listFile(folder));
    await store.close();
  });
});

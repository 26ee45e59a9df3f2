import { rm } from 'node:fs/promises';
import { startHttpGate } from '@contextloom/mcp-kit/testing';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import { migrateFile, start } from './support/children.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { makeFolder } from './support/service.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { embedder, everyone, toDocument, toWrites } from './support/stores.ts';

const COUNT = 900;
const times = { at: '2024-01-01T00:00:00.000Z', keepOwners: false };
const rich = toDocument('富/#1', "O'Hara\n\u0000 said: 小明住在上海 👋", {
  tags: ['标签', '"q"'],
  metadata: { 'a.b': { deep: [1, null, '茶'] }, none: null, n: 0.1 + 0.2, s: '5', "it's": true, user_id: 'ann' },
});

const folders: string[] = [];
const openFolder = async (): Promise<string> => {
  const folder = await makeFolder();
  folders.push(folder);
  return folder;
};
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});
const openFile = (folder: string) =>
  openEmbeddedStore({ file: `${folder}/knowledge-base.sqlite`, embedder: embedder.identity });

async function fill(folder: string): Promise<void> {
  const store = await openFile(folder);
  const documents = Array.from({ length: COUNT }, (_, at) => toDocument(`d-${at}`, `number ${at} 第${at}号`));
  await store.put(await toWrites(...documents, rich), times);
  await store.put(await toWrites(rich), times);
  await store.close();
}

async function listFile(folder: string) {
  const store = await openFile(folder);
  const { documents } = await store.list(everyone, { limit: 10_000 });
  await store.close();
  return documents;
}

describeWithChroma('the migrate command', () => {
  let chroma: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    chroma = await useSharedChroma();
  });

  const run = (to: string, folder: string, collection: string, { url } = chroma) =>
    start(migrateFile, ['--to', to], { KB_DATA_DIR: folder, CHROMA_URL: url, CHROMA_COLLECTION: collection });

  it('takes a store to Chroma and back to another file, the same in every field', async () => {
    const [before, after] = [await openFolder(), await openFolder()];
    await fill(before);
    const there = await run('chroma', before, 'there-and-back').ended;
    expect(there).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`all ${COUNT + 1} documents: ${COUNT + 1} written`),
    });
    const back = await run('embedded', after, 'there-and-back').ended;
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`all ${COUNT + 1} documents`) });
    expect(await listFile(after)).toEqual(await listFile(before));
    expect(await run('embedded', after, 'there-and-back').ended).toMatchObject({
      stdout: expect.stringContaining(': 0 written'),
    });
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('ended by %s half-way goes on when it is run again', async (signal) => {
    const folder = await openFolder();
    await fill(folder);
    const collection = `cut-off-${signal}`;
    const gate = await startHttpGate(chroma.url, { path: '/add', nth: 3 });
    const first = run('chroma', folder, collection, gate);
    await gate.reached;
    first.child.kill(signal);
    if (signal === 'SIGINT') gate.open();
    const { code, stdout } = await first.ended;
    await gate.close();
    expect(code).toBe(signal === 'SIGINT' ? 130 : null);
    if (signal === 'SIGINT') expect(stdout).toMatch(/Interrupted after \d+ documents .* --to chroma goes on/);
    expect(await run('chroma', folder, collection).ended).toMatchObject({ code: 0 });
    const store = await openChromaStoreAt(toAddress(chroma, collection));
    expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: COUNT + 1, vectors: COUNT + 1 });
    expect((await store.list(everyone, { limit: 10_000 })).documents).toEqual(await listFile(folder));
    await store.close();
  });
});

describe('the migrate command, called wrongly', () => {
  it.each([
    [[], { CHROMA_URL: 'http://127.0.0.1:9' }, /--to must be chroma or embedded/],
    [['--to', 'postgres'], { CHROMA_URL: 'http://127.0.0.1:9' }, /--to must be chroma or embedded/],
    [['--to', 'chroma'], {}, /CHROMA_URL must be the address/],
    [['--to', 'chroma'], { CHROMA_URL: 'ftp://x' }, /CHROMA_URL must be an http or https address/],
    [['--to', 'chroma'], { CHROMA_URL: 'nonsense' }, /CHROMA_URL must be an http or https address/],
    [['--to', 'chroma'], { CHROMA_URL: 'http://me:secret@127.0.0.1:9' }, /CHROMA_URL must be .* without user and path/],
    [['--to', 'chroma'], { CHROMA_URL: 'http://127.0.0.1:9/chroma' }, /CHROMA_URL must be .* without user and path/],
  ] as const)('%j with %j says what is wrong in one line', async (args, env, message) => {
    const { code, stderr } = await start(migrateFile, args, { KB_DATA_DIR: await openFolder(), ...env }).ended;
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('and a server that is not there is named, with code 1', async () => {
    const env = { KB_DATA_DIR: await openFolder(), CHROMA_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' };
    const { code, stderr } = await start(migrateFile, ['--to', 'embedded'], env).ended;
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Chroma at .* cannot be reached/),
    });
  });
});

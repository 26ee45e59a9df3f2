import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrateFile, start } from './support/children.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { COUNT, fill, listFile, openFolder, runMigrate } from './support/migrating.ts';
import { createDatabase, describeWithPostgres } from './support/postgres-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';

describeWithChroma('the migrate command', () => {
  let chroma: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    chroma = await useSharedChroma();
  });

  it('takes a store to Chroma and back to another file, the same in every field', async () => {
    const [before, after] = [await openFolder(), await openFolder()];
    await fill(before);
    const there = await runMigrate('chroma', before, 'there-and-back', chroma).ended;
    expect(there).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`all ${COUNT + 1} documents: ${COUNT + 1} written`),
    });
    const back = await runMigrate('embedded', after, 'there-and-back', chroma).ended;
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`all ${COUNT + 1} documents`) });
    expect(await listFile(after)).toEqual(await listFile(before));
    expect(await runMigrate('embedded', after, 'there-and-back', chroma).ended).toMatchObject({
      stdout: expect.stringContaining(': 0 written'),
    });
  });
});

describeWithPostgres('the migrate command', (server) => {
  it('takes a store to Postgres and back to another file, the same in every field', async () => {
    const [before, after] = [await openFolder(), await openFolder()];
    await fill(before);
    const expected = await listFile(before);
    const url = await createDatabase(server());
    const run = (folder: string, from: string, to: string) =>
      start(migrateFile, ['--from', from, '--to', to], { KB_DATA_DIR: folder, DATABASE_URL: url }).ended;
    expect(await run(before, 'embedded', 'postgres')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/all 901 documents: 901 written .* kept as .*moved-to-postgres\.sqlite/),
    });
    expect(await run(after, 'postgres', 'embedded')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`all ${COUNT + 1} documents: ${COUNT + 1} written`),
    });
    expect(await listFile(after)).toEqual(expected);
    // Run once more, as after an interruption: the file that was kept has them still.
    expect(await run(before, 'embedded', 'postgres')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/all 901 documents: 0 written .* kept as .*moved-to-postgres\.sqlite/),
    });
    const kept = await openFolder();
    await copyFile(join(before, 'knowledge-base.moved-to-postgres.sqlite'), join(kept, 'knowledge-base.sqlite'));
    expect(await listFile(kept)).toEqual(expected);
  });
});

describe('the migrate command, called wrongly', () => {
  it.each([
    [[], { CHROMA_URL: 'http://127.0.0.1:9' }, /--to must be chroma or postgres or embedded/],
    [['--to', 'mysql'], { CHROMA_URL: 'http://127.0.0.1:9' }, /--to must be chroma or postgres or embedded/],
    [['--to', 'postgres'], { CHROMA_URL: 'http://127.0.0.1:9' }, /DATABASE_URL must be the address/],
    [['--from', 'x', '--to', 'embedded'], {}, /--from must be chroma or postgres or embedded/],
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

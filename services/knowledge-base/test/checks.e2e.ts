import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkKnowledgeBase } from '../src/checks.ts';
import { serverSettings } from '../src/config.ts';
import { serverFile, serviceFile, start, untilListening } from './support/children.ts';
import { makeFolder as makeKeptFolder } from './support/service.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function makeFolder(): Promise<string> {
  const folder = await makeKeptFolder();
  cleanups.push(() => rm(folder, { recursive: true }));
  return folder;
}

const check = (env: Record<string, string>) =>
  checkKnowledgeBase({
    ...readSettings(serverSettings, env).values,
    clock: () => new Date(),
    newId: randomUUID,
    log: silentLog,
  });

describe('the checks of the knowledge base', () => {
  it('ask the service of KB_URL, and open nothing themselves', async () => {
    const service = start(serviceFile, [], { KB_PORT: '0', KB_DATA_DIR: await makeFolder() });
    cleanups.push(() => service.stop());
    const url = await untilListening(service);
    const embeddings = { name: 'embeddings', status: 'off', detail: 'made by the service of KB_URL' };
    const env = { KB_DATA_DIR: join(await makeFolder(), 'never-made') };
    expect(await check({ ...env, KB_URL: url })).toEqual([
      { name: 'store', status: 'ok', detail: `the service at ${url} can use its store (embedded)` },
      embeddings,
    ]);
    expect(await check({ ...env, KB_URL: 'http://127.0.0.1:9' })).toEqual([
      {
        name: 'store',
        status: 'failed',
        detail: expect.stringContaining('cannot be reached; start it or correct KB_URL'),
      },
      embeddings,
    ]);
  });

  describeWithPostgres('over a Postgres database', (server) => {
    it('tell how vectors are compared', async () => {
      const [store] = await check({ KB_DATA_DIR: await makeFolder(), DATABASE_URL: await createDatabase(server()) });
      const detail = expect.stringMatching(
        /^opens: the Postgres database .*; vectors are compared exactly, without pgvector$/,
      );
      expect(store).toEqual({ name: 'store', status: 'ok', detail });
    });
  });

  it('are printed by the server with its settings, and end it', async () => {
    const dataDir = await makeFolder();
    const { code, stdout, stderr } = await start(serverFile, ['--check'], { KB_DATA_DIR: dataDir }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { dataDir: { value: dataDir, source: { env: 'KB_DATA_DIR' } } },
      checks: [{ name: 'store', status: 'ok' }, { name: 'embeddings' }],
    });
  });
});

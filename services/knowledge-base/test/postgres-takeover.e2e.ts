import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { searchRequestSchema } from '@contextloom/contracts';
import { readSettings, silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { storeSettings } from '../src/config.ts';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';
import { openLocalKnowledgeBase } from '../src/open-local.ts';
import { MOVED_FILE, STORE_FILE } from '../src/store/sqlite/engine.ts';
import { createDatabase, describeWithPostgres, runSql } from './support/postgres-store.ts';
import { makeFolder } from './support/service.ts';

const COUNT = 450;

describeWithPostgres('a folder with documents, and DATABASE_URL', (server) => {
  let folder: string;
  const opened: KnowledgeBase[] = [];
  const open = async (env: Readonly<Record<string, string>>): Promise<KnowledgeBase> => {
    const { values } = readSettings(storeSettings, { KB_DATA_DIR: folder, ...env });
    const edge = { clock: () => new Date(), newId: randomUUID, log: silentLog };
    const knowledgeBase = await openLocalKnowledgeBase({ ...values, ...edge });
    opened.push(knowledgeBase);
    return knowledgeBase;
  };
  const closeAll = () => Promise.all(opened.splice(0).map((one) => one.close()));
  const toInput = (at: number) => ({
    doc_id: `d-${at}`,
    content: `number ${at} 第${at}号`,
    tags: ['note'],
    metadata: { user_id: 'ann', importance: at % 10 },
  });
  const list = async (knowledgeBase: KnowledgeBase) => {
    const documents = [];
    let cursor: string | undefined;
    do {
      const page = await knowledgeBase.list({ user_id: 'ann', limit: 200, cursor });
      documents.push(...page.documents);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return documents;
  };
  beforeEach(async () => {
    folder = await makeFolder();
    const embedded = await open({});
    await embedded.add(Array.from({ length: COUNT }, (_, at) => toInput(at)));
    await embedded.update({ id: 'd-3', userId: 'ann' }, { tags: ['changed'] });
  });
  afterEach(async () => {
    await closeAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('has them in Postgres after the first start, each as it was, and the file under another name', async () => {
    const before = await list(await open({}));
    await closeAll();
    const env = { DATABASE_URL: await createDatabase(server()) };
    const [moved] = await Promise.all([open(env), open(env)]);
    expect(await list(moved)).toEqual(before);
    const request = searchRequestSchema.parse({ query: 'number 77', user_id: 'ann', top_k: 1 });
    expect((await moved.search(request))[0]?.id).toBe('d-77');
    expect([existsSync(join(folder, STORE_FILE)), existsSync(join(folder, MOVED_FILE))]).toEqual([false, true]);
    await moved.delete({ id: 'd-5', userId: 'ann' }, { retract: false });
    await closeAll();
    const again = await open(env);
    expect(await list(again)).toHaveLength(COUNT - 1);
    expect((await again.forget('ann', false)).unreached.map(({ what }) => what)).toContain(join(folder, MOVED_FILE));
    await expect(open({})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/moved to Postgres: set DATABASE_URL again/),
    });
  }, 120_000);

  it('goes on where it was cut off, and keeps what is newer in Postgres', async () => {
    await closeAll();
    const env = { DATABASE_URL: await createDatabase(server()) };
    const first = await open(env);
    await first.update({ id: 'd-1', userId: 'ann' }, { content: 'newer' });
    await closeAll();
    // As a process leaves it that was killed before it was done.
    await rename(join(folder, MOVED_FILE), join(folder, STORE_FILE));
    const schema = 'contextloom_knowledge_base';
    const place = `${folder} on ${hostname()}`;
    await runSql(
      env.DATABASE_URL,
      `INSERT INTO ${schema}.state VALUES ('takeover', '${place}')`,
      `DELETE FROM ${schema}.documents WHERE id > 'd-3'`,
    );
    const elsewhere = await makeFolder();
    await expect(open({ ...env, KB_DATA_DIR: elsewhere })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('being moved'),
    });
    await rm(elsewhere, { recursive: true });
    const moved = await open(env);
    expect(await list(moved)).toHaveLength(COUNT);
    expect(await moved.get({ id: 'd-1', userId: 'ann' })).toMatchObject({ content: 'newer' });
  }, 120_000);

  it('is refused where Postgres has other documents, and served from the file when that is asked for', async () => {
    await closeAll();
    const env = { DATABASE_URL: await createDatabase(server()) };
    const elsewhere = await makeFolder();
    const other = await open({ ...env, KB_DATA_DIR: elsewhere });
    await other.add([{ doc_id: 'other', content: 'of another machine', tags: [], metadata: { user_id: 'ann' } }]);
    await expect(open(env)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/KB_DATA_DIR .* has documents .*DATABASE_URL has others.*KB_STORE=embedded/),
    });
    expect(await list(await open({ ...env, KB_STORE: 'embedded' }))).toHaveLength(COUNT);
    await closeAll();
    await rm(elsewhere, { recursive: true });
  }, 120_000);
});

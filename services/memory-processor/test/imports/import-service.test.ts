import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessorServer } from '../../src/build-server.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createImportService, type ImportService } from '../../src/imports/import-service.ts';
import { createUploads } from '../../src/imports/uploads.ts';
import { type Databases, openDatabases } from '../../src/open-databases.ts';
import { createLazyGraphStore } from '../../src/store/lazy-graph-store.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';

const CHAT = '[2024-03-05]\nAnn: I moved to Leith.\nBen: Congratulations!\n';
const toData = (text: string): string => Buffer.from(text).toString('base64');

let folder = '';
let remove = async (): Promise<void> => undefined;
let memories: KeptMemories;
let databases: Databases;
let imports: ImportService;
let client: TestClient;

beforeEach(async () => {
  ({ path: folder, remove } = await createFolder());
  memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories });
  const clock = (): Date => new Date();
  const config = { dataDir: folder, databaseUrl: undefined, jobLeaseSeconds: 60 };
  databases = openDatabases({ config, clock, newId: randomUUID, log: silentLog });
  imports = createImportService({
    processor,
    memories,
    graph: createLazyGraphStore(async () => undefined),
    clock,
    uploads: createUploads({ folder: join(folder, 'uploads'), newId: randomUUID }),
    ...databases,
    log: silentLog,
  });
  client = await connectInMemory(createMemoryProcessorServer({ processor, imports, version: '0', log: silentLog }));
});
afterEach(async () => {
  await client.close();
  await imports.close();
  await databases.close();
  await remove();
});

const call = async (tool: string, args: object) => Object((await client.callTool(tool, { ...args })).structured);
const handIn = async (text: string, name = 'chat.txt', user_id = 'ann'): Promise<string> =>
  (await call('upload_import', { user_id, name, data: toData(text) })).upload;

/** Waits for the state, not for a time. */
async function untilDone() {
  for (;;) {
    const [one] = (await call('list_imports', { user_id: 'ann' })).imports;
    if (one.state !== 'running') return one;
    await new Promise(setImmediate);
  }
}

describe('a file that is handed in', () => {
  it('is put together of its pieces, shown, imported, listed and taken back', async () => {
    const first = await call('upload_import', { user_id: 'ann', name: 'chat.txt', data: toData(CHAT.slice(0, 20)) });
    const rest = { user_id: 'ann', name: 'chat.txt', upload: first.upload, offset: 20, data: toData(CHAT.slice(20)) };
    expect(await call('upload_import', rest)).toMatchObject({ bytes: CHAT.length });
    const order = { user_id: 'ann', upload: first.upload };
    const shown = await call('preview_import', order);
    expect(shown).toMatchObject({ conversations: 1, turns: 2, who_is_me: true, from: '2024-03-05T00:00:00.000Z' });
    expect(await call('preview_import', { ...order, me: ['Ann'] })).toMatchObject({ who_is_me: false });
    expect(memories.documents.size).toBe(0);
    const whole = await client.callTool('start_import', { ...order, me: ['An'] });
    expect(whole.text).toContain('nobody in it is called "An"; there are: "Ann", "Ben"');
    const { id, turns } = await call('start_import', { ...order, me: ['Ann'] });
    expect(turns).toBe(2);
    expect(await untilDone()).toMatchObject({ id, state: 'done', sources: ['chat.txt'], saved: 1, failed: 0 });
    expect([...memories.documents.values()].map(({ content }) => content).join()).toContain('I moved to Leith.');
    expect(await call('undo_import', { user_id: 'ann', id })).toMatchObject({ id, removed: 1 });
    expect(memories.documents.size).toBe(0);
    expect(await untilDone()).toMatchObject({ state: 'undone' });
  });

  it('is found by its owner alone, under its own name and no other path', async () => {
    const upload = await handIn(CHAT);
    expect(await client.codeOf('preview_import', { user_id: 'bob', upload })).toBe('not_found');
    expect(await client.codeOf('preview_import', { user_id: 'ann', upload: '../../../../etc/passwd' })).toBe('invalid');
    await call('start_import', { user_id: 'ann', upload });
    const { id } = await untilDone();
    expect(await call('list_imports', { user_id: 'bob' })).toEqual({ imports: [] });
    expect(await client.codeOf('undo_import', { user_id: 'bob', id })).toBe('not_found');
  });

  it('is refused where a piece is missing, is no base64, or the file is a database', async () => {
    const upload = await handIn(CHAT);
    const piece = { user_id: 'ann', name: 'chat.txt', upload, data: toData('x') };
    const wrong = await client.callTool('upload_import', { ...piece, offset: CHAT.length + 1 });
    expect(wrong.text).toContain(`offset must be ${CHAT.length}`);
    expect(await client.codeOf('upload_import', { ...piece, data: '***' })).toBe('invalid');
    expect(await client.codeOf('upload_import', { ...piece, offset: 1_000_000_000 })).toBe('too_large');
    const database = await handIn('SQLite format 3\0…', 'memory.db');
    expect((await client.callTool('preview_import', { user_id: 'ann', upload: database })).text).toContain('database');
    expect(await client.codeOf('start_import', { user_id: 'ann', upload: await handIn('\n') })).toBe('invalid');
  });

  it('lists each message that is left out, page by page, with its place, reason and words', async () => {
    const lines = Array.from({ length: 5 }, (_, at) => `25/12/2023, 14:0${at} - Ann: image omitted\n`).join('');
    const upload = await handIn(`${lines}25/12/2023, 14:06 - Ann: hi\n25/12/2023, 14:07 - Ben joined\n`, 'chat.txt');
    const order = { user_id: 'ann', upload };
    const shown = await call('preview_import', order);
    expect(shown).toMatchObject({ turns: 1, left_out_count: 6, left_out: expect.any(Array) });
    expect(shown.left_out_lines).toHaveLength(6);
    expect(shown.left_out_lines[1]).toEqual({ place: 'chat.txt, line 2', reason: 'media', text: 'image omitted' });
    const page = await call('preview_import', { ...order, left_out_from: 4, left_out_limit: 1 });
    expect(page).toMatchObject({ left_out_count: 6, left_out_lines: [{ place: 'chat.txt, line 5' }] });
    const last = await call('preview_import', { ...order, left_out_from: 5 });
    expect(last.left_out_lines).toEqual([
      { place: 'chat.txt, line 7', reason: 'system message', text: '25/12/2023, 14:07 - Ben joined' },
    ]);
  });

  it('shows what its conversations are called, and keeps it with their memories', async () => {
    const upload = await handIn(CHAT.replace('[', '25/12/2023, 14:07 - Ann: hi\n['), 'WhatsApp Chat with Ben.txt');
    expect(await call('preview_import', { user_id: 'ann', upload })).toMatchObject({ titles: ['Ben'] });
    await call('start_import', { user_id: 'ann', upload });
    expect(await untilDone()).toMatchObject({ state: 'done' });
    expect([...memories.documents.values()].map(({ metadata }) => metadata['title'])).toContain('Ben');
  });

  it('stays for a few imports, and goes with its user', async () => {
    for (let at = 0; at < 5; at += 1) await handIn(`${CHAT}${at}`);
    const [own = ''] = await readdir(join(folder, 'uploads'));
    expect(await readdir(join(folder, 'uploads', own))).toHaveLength(3);
    expect(await imports.forget('ann', true)).toBe(3);
    expect(await imports.forget('ann', false)).toBe(3);
    expect(await readdir(join(folder, 'uploads'))).toEqual([]);
  });
});

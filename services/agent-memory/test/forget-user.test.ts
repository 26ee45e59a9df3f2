import { existsSync } from 'node:fs';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { forgetWorkspace } from '../src/store/forget-workspace.ts';
import { createFolder, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

const SECRETS = ['Zanzibar', '桑给巴尔的老茶馆', 'ann-7f3a91'];
let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;

const connect = (userId: string | undefined, isReadOnly = false) =>
  connectInMemory(
    createAgentMemoryServer({
      memory: opened.memory,
      changes: opened.changes,
      userId,
      isShared: false,
      version: '0',
      log: silentLog,
      forgetOwner: (isDryRun) =>
        forgetWorkspace(
          {
            folder: folder.workspace,
            isReadOnly,
            indexFile: folder.index,
            countEntries: () => opened.index.count(),
            sync: () => opened.memory.sync(),
          },
          isDryRun,
        ),
    }),
  );

beforeEach(async () => {
  folder = createFolder();
  saveSeed(folder.save);
  folder.save('OWNER.md', '# OWNER\n\n- name: ann-7f3a91\n');
  folder.save('memory/archive/2025-01-02.md', '# 2025-01-02\n\nA walk in Zanzibar\n');
  opened = await openTestMemory(folder);
  const client = await connect('ann-7f3a91');
  for (const long_term of [true, false]) {
    await client.callTool('add_entry', { content: 'Tea in Zanzibar: 桑给巴尔的老茶馆', long_term, label: 'Fact' });
  }
  await client.close();
});
afterEach(async () => {
  await opened.memory.close();
  folder.remove();
});

describe('forgetting the user of a workspace', () => {
  it('leaves no byte of theirs in the files and the index, and who the agent is', async () => {
    const client = await connect('ann-7f3a91');
    const spirit = folder.read('SPIRIT.md');
    expect(new Set(findBytes(folder.root, SECRETS).map(({ text }) => text))).toEqual(new Set(SECRETS));
    const planned = (await client.callTool('forget_user', { user_id: 'ann-7f3a91' })).structured;
    expect(planned).toMatchObject({ dry_run: true, unreached: [] });
    expect(findBytes(folder.root, SECRETS)).not.toEqual([]);
    const { structured } = await client.callTool('forget_user', { user_id: 'ann-7f3a91', dry_run: false });
    expect(structured).toEqual({ ...Object(planned), dry_run: false });
    expect(findBytes(folder.root, SECRETS)).toEqual([]);
    expect(folder.read('SPIRIT.md')).toBe(spirit);
    expect(existsSync(`${folder.workspace}/OWNER.md`)).toBe(false);
    const again = await client.callTool('forget_user', { user_id: 'ann-7f3a91', dry_run: false });
    expect(again.structured).toMatchObject({ total: 0, unreached: [] });
    await client.close();
  });

  it('touches nothing for another user, in a read-only workspace, and where it is nobody’s', async () => {
    for (const [userId, isReadOnly, unreached] of [
      ['bob', false, []],
      ['ann-7f3a91', true, [{ why: expect.stringContaining('read-only') }]],
      [undefined, false, [{ why: expect.stringContaining('names no user') }]],
    ] as const) {
      const client = await connect(userId, isReadOnly);
      const { structured } = await client.callTool('forget_user', { user_id: 'ann-7f3a91', dry_run: false });
      expect(structured).toMatchObject({ total: 0, unreached });
      await client.close();
    }
    expect(new Set(findBytes(folder.root, SECRETS).map(({ text }) => text))).toEqual(new Set(SECRETS));
  });

  it('has nothing out of reach in a workspace without files, whosever it is', async () => {
    const empty = createFolder();
    const { memory, changes } = await openTestMemory(empty);
    const options = { memory, changes, userId: undefined, isShared: false, version: '0', log: silentLog };
    const client = await connectInMemory(createAgentMemoryServer(options));
    for (const tool of ['forget_user', 'export_user']) {
      const { structured } = await client.callTool(tool, { user_id: 'ann-7f3a91' });
      expect(structured).toMatchObject({ unreached: [] });
    }
    await client.close();
    await memory.close();
    empty.remove();
  });
});

describe('deleting one entry', () => {
  it('leaves no byte of it in the files and the index once its bytes are erased, and everything else', async () => {
    const client = await connect('ann-7f3a91');
    const words = ['Kilwa', '基尔瓦的灯塔'];
    const { structured } = await client.callTool('add_entry', { content: 'The lighthouse of Kilwa: 基尔瓦的灯塔' });
    const before = opened.index.count();
    expect(await opened.index.eraseRemoved()).toBe(false);
    const { id } = structured as { id: string };
    await client.callTool('delete_entry', { id });
    await client.close();
    expect(findBytes(folder.root, words)).not.toEqual([]);
    expect(await opened.index.eraseRemoved()).toBe(true);
    expect(findBytes(folder.root, words)).toEqual([]);
    expect(opened.index.count()).toBe(before - 1);
  });
});

import { exportPageSchema } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createFolder, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

interface Home {
  readonly folder: Folder;
  readonly opened: Awaited<ReturnType<typeof openTestMemory>>;
  readonly client: TestClient;
}
let source: Home;
let target: Home;

async function open(userId: string | undefined, fill: (folder: Folder) => void): Promise<Home> {
  const folder = createFolder();
  fill(folder);
  const opened = await openTestMemory(folder);
  const { memory, changes } = opened;
  const about = { userId, isShared: false, version: '0', log: silentLog };
  return { folder, opened, client: await connectInMemory(createAgentMemoryServer({ memory, changes, ...about })) };
}

async function close({ client, opened, folder }: Home): Promise<void> {
  await client.close();
  await opened.memory.close();
  folder.remove();
}

beforeEach(async () => {
  source = await open('ann', ({ save }) => {
    saveSeed(save);
    save('memory/archive/2025-01-02.md', '# 2025-01-02\n\n### 09:00 - note\nA walk in Bergen\n');
  });
  target = await open('ann', () => undefined);
  for (const content of ['Tea by the harbour', '喜欢老茶馆', 'The gate of the harbour is green'])
    await source.client.callTool('add_entry', { content, long_term: content.length % 2 === 0, label: 'Fact' });
});
afterEach(async () => {
  await close(source);
  await close(target);
});

const exported = async () =>
  exportPageSchema.parse((await source.client.callTool('export_user', { user_id: 'ann' })).structured);

describe('the user of a workspace who moves', () => {
  it('finds the same entries under the same ids, also when the export comes twice', async () => {
    const { format, version, lines } = await exported();
    const count = lines.trimEnd().split('\n').length;
    const listed = (await source.client.callTool('list_users', {})).structured;
    expect(listed).toMatchObject({ users: [{ user_id: 'ann', counts: [{ what: 'files', count }, {}] }] });
    const take = async () =>
      (await target.client.callTool('import_user', { user_id: 'ann', format, version, lines })).structured;
    expect(await take()).toEqual({ imported: count, known: 0, refused: [], refused_count: 0 });
    const findings = ({ client }: Home) =>
      Promise.all(
        ['harbour', '茶馆', 'green gate', 'walk'].map(async (query) => {
          const { structured } = await client.callTool('search_entries', { query });
          return (structured as { items: { entry: { id: string }; score: number }[] }).items.map(
            ({ entry }) => entry.id,
          );
        }),
      );
    expect((await findings(source)).flat()).not.toEqual([]);
    expect(await findings(target)).toEqual(await findings(source));
    expect(await take()).toEqual({ imported: 0, known: count, refused: [], refused_count: 0 });
  });

  it('keeps a file that is there with another text, and names it', async () => {
    await target.client.callTool('init_identity', {});
    const { format, version } = await exported();
    const lines = ['OWNER.md', '../escape.md', 'memory/2025-03-01.md']
      .map((file) => `${JSON.stringify({ file, text: '# Another\n' })}\n`)
      .join('');
    const { structured } = await target.client.callTool('import_user', { user_id: 'ann', format, version, lines });
    expect(structured).toEqual({
      imported: 1,
      known: 0,
      refused_count: 2,
      refused: [
        { record: 'line 1', problem: 'OWNER.md exists with another text, which stays' },
        { record: 'line 2', problem: expect.stringContaining('must be a file of the workspace') },
      ],
    });
  });

  it('is the one whom the workspace names, and nobody else', async () => {
    const other = (await source.client.callTool('export_user', { user_id: 'bob' })).structured;
    expect(other).toMatchObject({ lines: '', unreached: [] });
    const lines = { format: 'contextloom-agent-memory', version: 1, lines: '' };
    const refused = await target.client.callTool('import_user', { user_id: 'bob', ...lines });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('AGENT_MEMORY_USER_ID') });
    const nobodys = await open(undefined, () => undefined);
    await nobodys.client.callTool('init_identity', {});
    expect((await nobodys.client.callTool('export_user', { user_id: 'ann' })).structured).toMatchObject({
      unreached: [{ what: 'what the files may say' }],
    });
    await close(nobodys);
  });
});

import type { SearchAnswer } from '@contextloom/contracts/agent-memory';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createFolder, DAY, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

interface Entry {
  readonly id: string;
  readonly content: string;
  readonly source_file: string;
  readonly [field: string]: unknown;
}

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;
let client: TestClient;

const serve = (isShared = false) => createAgentMemoryServer({ ...opened, isShared, version: '0', log: silentLog });
const call = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> => {
  const { structured, isError, text } = await client.callTool(name, args);
  if (isError) throw new Error(text);
  return structured as T;
};
const search = (query: string, args = {}) =>
  call<{ items: { entry: Entry; score: number }[] }>('search_entries', { query, ...args });

beforeEach(async () => {
  folder = createFolder();
  saveSeed(folder.save);
  opened = await openTestMemory(folder);
  client = await connectInMemory(serve());
});
afterEach(async () => {
  await client.close();
  await opened.memory.close();
  folder.remove();
});

describe('the tools', () => {
  it('have schemas that every client takes, titles and hints', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'load_context',
      'search_entries',
      'add_entry',
      'list_entries',
      'get_entry',
      'update_entry',
      'delete_entry',
      'get_identity',
      'init_identity',
      'update_identity',
      'set_tool_enabled',
      'summarize_day',
      'archive_entries',
      'rebuild_index',
      'forget_user',
      'count_waiting',
      'list_users',
      'export_user',
      'import_user',
    ]);
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect(findUnfitSchemas(inputSchema)).toEqual([]);
      expect(findUnfitSchemas(outputSchema)).toEqual([]);
      expect(annotations?.title).toBeTruthy();
    }
  });

  it('find what people write in other forms, put it into the context, and change it where it stands', async () => {
    const before = folder.read('MEMORY.md');
    folder.save('MEMORY.md', `${before}\n## Family\n- My sister Lin breeds axolotls\n- Bo hates coriander\n`);
    folder.save('memory/2026-02-13.md', '# 2026-02-13\n\n今天修好了自行车。\n\n## 待办\n- [ ] 买龙井茶\n');
    await call('rebuild_index');
    for (const [query, content, label] of [
      ['axolotls', 'My sister Lin breeds axolotls', 'Family'],
      ['自行车', '今天修好了自行车。', undefined],
      ['龙井茶', '[ ] 买龙井茶', '待办'],
    ] as const) {
      expect((await search(query)).items[0]?.entry).toMatchObject({ content, ...(label && { label }), in_text: true });
    }
    const { context } = await call<{ context: string }>('load_context', { query: '' });
    expect(context).toContain('- [Family] Bo hates coriander');
    expect(context).toContain('- 2026-02-13 [待办] [ ] 买龙井茶');
    const [hit] = (await search('axolotls')).items;
    const args = { id: hit?.entry.id, content: 'My sister Lin breeds newts' };
    expect(await call('update_entry', args)).toMatchObject({ content: args.content, label: 'Family', in_text: true });
    expect(folder.read('MEMORY.md')).toContain('\n- My sister Lin breeds newts\n- Bo hates');
    const [newts] = (await search('newts')).items;
    expect((await client.callTool('update_entry', { id: newts?.entry.id, metadata: { tags: ['a'] } })).text).toContain(
      'metadata',
    );
    await call('delete_entry', { id: newts?.entry.id });
    expect(folder.read('MEMORY.md')).toContain('## Family\n\n- Bo hates coriander');
  });

  it('find the entries of the design, in Chinese', async () => {
    const { items } = await search('数据库选了什么');
    expect(items[0]?.entry).toMatchObject({
      content: '讨论了数据库选型，最终选择 SQLite',
      content_type: 'conversation',
      source_file: DAY,
      created_at: '2026-02-14T14:00:00.000Z',
    });
    const [hit] = items;
    expect(hit?.score).toBeGreaterThan(items[1]?.score ?? 0);
    expect((await search('花生')).items[0]?.entry.content).toBe('用户对花生过敏');
  });

  it('score 0.7 of the vector and 0.3 of the text, in the order of relevance', async () => {
    const { items } = await call<{
      items: { score: number; relevance: number; vector_score: number; text_score: number }[];
    }>('search_entries', { query: 'React 框架' });
    for (const { score, vector_score, text_score } of items) {
      expect(score).toBeCloseTo(0.7 * vector_score + 0.3 * text_score, 10);
    }
    const relevances = items.map(({ relevance }) => relevance);
    expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
  });

  it('write, change and delete an entry, in the file first, and touch nothing else there', async () => {
    const before = folder.read(DAY);
    const added = await call<Entry>('add_entry', {
      content: '喝了一杯美式',
      content_type: 'manual',
      metadata: { tags: ['咖啡'], importance: 2 },
    });
    expect(folder.read(DAY)).toContain(
      `### 12:00 - 手动\n<!-- id: ${added.id}; metadata: {"tags":["咖啡"],"importance":2} -->\n喝了一杯美式\n`,
    );
    expect(await call('get_entry', { id: added.id })).toEqual(added);
    expect((await search('美式')).items[0]?.entry.id).toBe(added.id);

    const changed = await call<Entry>('update_entry', {
      id: added.id,
      content: '喝了两杯美式',
      content_type: 'decision',
    });
    expect(changed).toMatchObject({
      id: added.id,
      content: '喝了两杯美式',
      content_type: 'decision',
      metadata: { tags: ['咖啡'], importance: 2 },
    });
    expect(folder.read(DAY)).toContain('### 12:00 - 决策\n');
    expect((await search('两杯')).items[0]?.entry).toEqual(changed);

    expect(await call('delete_entry', { id: added.id })).toEqual({ id: added.id, deleted: true });
    expect(
      folder
        .read(DAY)
        .replace(/<!-- id.*-->\n/g, '')
        .trimEnd(),
    ).toBe(before.replace(/<!-- id.*-->\n/g, '').trimEnd());
    expect((await client.callTool('get_entry', { id: added.id })).isError).toBe(true);
    expect((await search('两杯')).items.map(({ entry }) => entry.id)).not.toContain(added.id);
  });

  it('take away nothing that a person wrote into an entry after it was read', async () => {
    const { id } = await call<Entry>('add_entry', { content: '喝了一杯美式' });
    folder.save(DAY, `${folder.read(DAY)}还有一块蛋糕\n`);
    await opened.memory.noteChange(DAY);
    const message = `the entry ${id} was changed in its file since it was read: read it again`;
    expect((await client.callTool('update_entry', { id, content: '喝了两杯' })).text).toContain(message);
    expect((await client.callTool('delete_entry', { id })).text).toContain(message);
    expect(folder.read(DAY)).toContain('喝了一杯美式\n还有一块蛋糕\n');
    await call('update_entry', { id, metadata: { importance: 1 } });
    expect((await call<Entry>('get_entry', { id })).content).toBe('喝了一杯美式\n还有一块蛋糕');
    expect(await call('update_entry', { id, content: '喝了两杯，吃了蛋糕' })).toMatchObject({
      content: '喝了两杯，吃了蛋糕',
    });
  });

  it('delete an entry whose heading has seconds', async () => {
    folder.save(DAY, `${seedFiles[DAY]}\n### 15:00:30 - 对话\n要删除的\n`);
    await opened.memory.sync();
    const [hit] = (await search('要删除的')).items;
    await call('delete_entry', { id: hit?.entry.id });
    expect(folder.read(DAY)).not.toContain('15:00:30');
    expect(folder.read(DAY)).toContain('最终选择 SQLite');
  });

  it('keep whole what would be a heading, a fence or a comment in Markdown', async () => {
    const contents = [
      '一\n### 10:30 - 决策\n二',
      '```\nopen',
      '<!-- open',
      '# a\n---\n## b\r\nc',
      '   leading\n\n\ntrailing   ',
    ];
    for (const content of contents) {
      const { id } = await call<Entry>('add_entry', { content });
      expect((await call<Entry>('get_entry', { id })).content).toBe(content.replace('\r\n', '\n'));
      const remembered = await call<Entry>('add_entry', { content, long_term: true, label: '约定' });
      expect(await call<Entry>('get_entry', { id: remembered.id })).toEqual(remembered);
    }
    expect((await call<{ total: number }>('list_entries')).total).toBe(6 + 2 * contents.length);
  });

  it('tell how relevant what they find is, and leave out what a caller wants no less than', async () => {
    const query = 'What is quantum chromodynamics?';
    for (const one of (await call<SearchAnswer>('search_entries', { query })).items) expect(one.relevance).toBe(0);
    expect(await search(query, { min_score: 0.01 })).toEqual({ items: [], total: 0, nearest_score: 0, query });
    const [hit] = (await search('花生过敏')).items;
    expect(hit).toMatchObject({ relevance: expect.closeTo(1), text_score: 1 });
    expect((await search('花生过敏', { min_score: 0.9 })).items).toHaveLength(1);
  });

  it('call an entry by a label, in a daily log too, and find it by that', async () => {
    const logged = await call<Entry>('add_entry', { content: '牙医改期', label: '健康' });
    expect(logged).toMatchObject({ content_type: 'manual', label: '健康', source_file: DAY });
    expect(folder.read(DAY)).toContain(`### 12:00 - 健康\n<!-- id: ${logged.id} -->\n牙医改期\n`);
    expect(await call('get_entry', { id: logged.id })).toEqual(logged);
    expect((await search('健康')).items[0]?.entry.id).toBe(logged.id);
    expect((await search('重要约定')).items[0]?.entry.content).toBe('每周五下午复盘');

    const typed = await call<Entry>('add_entry', { content: '改用 Vue', label: '决策', long_term: true });
    expect(typed).toMatchObject({ content_type: 'decision', source_file: 'MEMORY.md' });
    expect(typed).not.toHaveProperty('label');
    expect(await call('get_entry', { id: typed.id })).toEqual(typed);
    const { text } = await client.callTool('add_entry', { content: 'x', label: '健康', content_type: 'decision' });
    expect(text).toContain('label takes the place of the type: leave content_type out, or the label');
    expect((await client.callTool('add_entry', { content: 'x', label: 'C ##' })).text).toContain('label must be');
  });

  it('write no fence around a text for the line end that it ends with', async () => {
    const { id, content } = await call<Entry>('add_entry', { content: '喝了一杯美式\n\n' });
    expect(content).toBe('喝了一杯美式');
    expect(folder.read(DAY)).toContain(`<!-- id: ${id} -->\n喝了一杯美式\n`);
  });

  it('list by type and days, both inclusive, and page', async () => {
    const days = await call<{ items: Entry[]; total: number }>('list_entries', {
      start_date: '2026-02-13',
      end_date: '2026-02-13',
    });
    expect(days).toMatchObject({ total: 1, items: [{ content: '买了新的徒步鞋' }] });
    const decisions = await call<{ items: Entry[] }>('list_entries', { content_type: 'decision' });
    expect(decisions.items.map(({ content }) => content)).toEqual([
      '用户决定使用 React 作为前端框架',
      '笔记工具只用本地存储',
    ]);
    expect(await call('list_entries', { limit: 1, offset: 1 })).toMatchObject({
      total: 6,
      items: [{ content: '用户决定使用 React 作为前端框架' }],
    });
  });

  it('refuse by name what is not allowed', async () => {
    const refused = async (name: string, args: Record<string, unknown>) => (await client.callTool(name, args)).text;
    expect(await refused('add_entry', { content: '   ' })).toMatch(/content must not be empty/);
    expect(await refused('add_entry', { content: '字'.repeat(10_001) })).toMatch(
      /content must be at most 10000 characters/,
    );
    expect(await refused('add_entry', { content: 'x', content_type: 'dream' })).toMatch(/content_type/);
    expect(await refused('search_entries', { query: '' })).toMatch(/query must not be empty/);
    expect(await refused('list_entries', { start_date: '2026-02-30' })).toMatch(/start_date must be a day/);
    expect(await refused('get_entry', { id: 'nothing' })).toMatch(/there is no entry nothing/);
    const { isError } = await client.callTool('add_entry', { content: '😀'.repeat(10_000), metadata: null });
    expect(isError).toBe(false);
  });

  it('leave MEMORY.md out of a shared session', async () => {
    expect((await search('花生', { session: 'shared' })).items.map(({ entry }) => entry.source_file)).not.toContain(
      'MEMORY.md',
    );
    const [own] = (await search('花生')).items;
    expect((await client.callTool('get_entry', { id: own?.entry.id, session: 'shared' })).isError).toBe(true);
    expect((await client.callTool('delete_entry', { id: own?.entry.id, session: 'shared' })).isError).toBe(true);
    const { context } = await call<{ context: string }>('load_context', { query: '花生', session: 'shared' });
    expect(context).not.toContain('花生');

    const shared = await connectInMemory(serve(true));
    const [tool] = (await shared.listTools()).tools;
    expect(Object.keys(tool?.inputSchema.properties ?? {})).not.toContain('session');
    const answer = await shared.callTool('search_entries', { query: '花生', session: 'owner' });
    expect(answer.text).not.toContain('花生过敏');
    await expect(shared.readText('agent-memory://workspace/MEMORY.md')).rejects.toThrow();
    await shared.close();
  });

  it('tell who the agent is, whom it serves and what it can use', async () => {
    expect(await call('get_identity')).toMatchObject({
      spirit: {
        role: '你是用户的个人 AI 助手',
        personality: '- 友好\n- 简洁',
        values: ['诚实', '尊重隐私'],
        behavior_rules: ['不确定时先询问', '不泄露私人信息'],
      },
      owner: {
        name: '张三',
        age: 32,
        occupation: '前端工程师',
        interests: ['编程', '咖啡', '徒步旅行'],
        preferences: { '喜欢简洁 UI': true, '不喜欢拿铁，只喝美式': true, 主题: '深色' },
      },
      tools: [
        { name: 'read_file', enabled: true, category: '文件操作' },
        { name: 'write_file', enabled: false },
        { name: 'search_web', enabled: true, parameters: { type: 'object', properties: { q: { type: 'string' } } } },
        { name: 'fetch_url', enabled: false },
        { name: 'execute_code', description: '执行代码片段' },
      ],
      status: { initialized: true, missing: [] },
    });
    expect(await call('init_identity')).toMatchObject({ created: [] });
  });

  it('summarise a day by rules when there is no model, in its section', async () => {
    const { summary } = await call<{ summary: string }>('summarize_day', { date: '2026-02-14' });
    expect(summary).toBe('- 用户决定使用 React 作为前端框架\n- 讨论了数据库选型，最终选择 SQLite');
    expect(folder.read(DAY)).toContain(`## 摘要\n\n${summary}\n\n## 记录条目\n`);
    expect(folder.read(DAY)).not.toContain('[AI 生成的当日摘要]');
    folder.save(
      DAY,
      `# 2026-02-14\n\n### 10:30 - 手动\n\`\`\`sh\nnpm test\n\`\`\`\n\n### 11:00 - 手动\n- [x] **买菜**\n`,
    );
    await opened.memory.sync();
    expect(await call('summarize_day', { date: '2026-02-14' })).toMatchObject({ summary: '- npm test\n- **买菜**' });
  });

  it('archive old entries of little importance, told first', async () => {
    folder.save('memory/2024-05-01.md', '# 2024-05-01\n\n### 10:00 - 对话\n天气不错\n\n### 11:00 - 决策\n搬到上海\n');
    await opened.memory.sync();
    const dry = await call<{ items: Entry[]; archived: number }>('archive_entries', {});
    expect(dry).toMatchObject({ archived: 0, items: [{ date: '2024-05-01', importance: 3 }] });
    expect((await search('天气')).items[0]?.entry.id).toBe(dry.items[0]?.id);
    expect(await call('archive_entries', { dry_run: false })).toMatchObject({ archived: 1 });
    expect(folder.read('memory/archive/2024-05-01.md')).toContain(`<!-- id: ${dry.items[0]?.id} -->\n天气不错`);
    expect(folder.read('memory/2024-05-01.md')).not.toContain('天气');
    expect(folder.read('memory/2024-05-01.md')).toContain('搬到上海');
    expect((await search('天气')).items.map(({ entry }) => entry.content)).not.toContain('天气不错');
  });

  it('answer resources, and tell of changes by tools and by hand', async () => {
    expect(await client.readText('agent-memory://workspace/OWNER.md')).toBe(seedFiles['OWNER.md']);
    await opened.memory.sync();
    const heard: string[] = [];
    const stop = opened.changes.subscribe((event) => {
      if (event.kind === 'resource_updated') heard.push(event.uri);
    });
    await call('add_entry', { content: '新的' });
    folder.save('OWNER.md', '# 用户画像\n');
    await opened.memory.noteChange('OWNER.md');
    stop();
    expect(heard).toEqual([`agent-memory://workspace/${DAY}`, 'agent-memory://workspace/OWNER.md']);
    await expect(client.readText('agent-memory://workspace/memory/../../secret.md')).rejects.toThrow();
    await expect(client.readText('agent-memory://workspace/memory/%2e%2e.md')).rejects.toThrow();
  });

  it('answer clients of the stateless revision too', async () => {
    const modern = await connectOverFetch(serve());
    const { structured } = await modern.callTool('load_context', { query: '框架' });
    expect(structured).toMatchObject({ token_budget: 4_000 });
    await modern.close();
  });
});

import { silentLog } from '@contextloom/runtime';
import { type Listening, listen } from '@contextloom/server-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMemoryApi } from '../src/http/api.ts';
import { createFolder, DAY, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;
let listening: Listening;

/** The fields of answers that tests look into. */
const answerSchema = z.looseObject({
  id: z.string().optional(),
  role: z.string().optional(),
  values: z.array(z.string()).optional(),
  context: z.string().optional(),
  items: z.array(z.looseObject({ entry: z.looseObject({ id: z.string() }).optional() })).optional(),
});

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${listening.url}/api/v1/memory${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const json = answerSchema.parse(await response.json());
  return { status: response.status, json };
}

beforeEach(async () => {
  folder = createFolder();
  saveSeed(folder.save);
  opened = await openTestMemory(folder);
  const api = createMemoryApi({ memory: opened.memory, version: '0', log: silentLog });
  listening = await listen(await api.toApp(), { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await listening.close();
  await opened.memory.close();
  folder.remove();
});

describe('REST under /api/v1/memory', () => {
  it('adds, lists, finds, changes and deletes entries', async () => {
    const added = await ask('POST', '/entries', {
      content: '用户喜欢手冲咖啡',
      content_type: 'conversation',
      metadata: null,
    });
    expect(added).toMatchObject({ status: 201, json: { content_type: 'conversation', source_file: DAY } });
    const { id } = added.json;
    expect(await ask('GET', `/entries/${id}`)).toEqual({ status: 200, json: added.json });
    expect((await ask('GET', '/entries?content_type=conversation&limit=1&start_date=2026-02-14')).json).toMatchObject({
      total: 2,
      items: [{ content_type: 'conversation' }],
    });
    const found = await ask('POST', '/search', { query: '手冲咖啡' });
    expect(found.json).toMatchObject({ query: '手冲咖啡', items: [{ entry: { id }, text_score: 1 }] });
    expect((await ask('GET', `/search/similar/${id}?limit=3`)).json.items?.map((one) => one.entry?.id)).not.toContain(
      id,
    );
    expect((await ask('PATCH', `/entries/${id}`, { content: '用户喜欢茶' })).json).toMatchObject({
      id,
      content: '用户喜欢茶',
    });
    expect((await ask('GET', '/daily/2026-02-14')).json).toMatchObject({
      date: '2026-02-14',
      file_path: DAY,
      summary: '[AI 生成的当日摘要]',
      entries: [expect.any(String), expect.any(String), id],
    });
    expect(await ask('DELETE', `/entries/${id}`)).toEqual({ status: 200, json: { id, deleted: true } });
    expect((await ask('GET', `/entries/${id}`)).status).toBe(404);
  });

  it('reads and writes the identity, and changes only what is written', async () => {
    const spirit = (await ask('GET', '/identity/spirit')).json;
    expect((await ask('PUT', '/identity/spirit', spirit)).json).toMatchObject({
      role: spirit.role,
      values: spirit.values,
    });
    expect(folder.read('SPIRIT.md')).toBe(seedFiles['SPIRIT.md']);
    expect((await ask('PUT', '/identity/spirit', { values: ['诚实', '好奇'] })).json).toMatchObject({
      values: ['诚实', '好奇'],
      role: spirit.role,
    });
    expect(folder.read('SPIRIT.md')).toBe(seedFiles['SPIRIT.md'].replace('尊重隐私', '好奇'));

    const patch = { age: 33, preferences: { 主题: '浅色', '喜欢简洁 UI': true } };
    expect((await ask('PUT', '/identity/owner', patch)).json).toMatchObject({ ...patch, name: '张三' });
    expect(folder.read('OWNER.md')).toBe(
      seedFiles['OWNER.md']
        .replace('年龄: 32', '年龄: 33')
        .replace('- 喜欢简洁 UI\n- 不喜欢拿铁，只喝美式\n- 主题：深色', '- 主题: 浅色\n- 喜欢简洁 UI'),
    );
    expect((await ask('GET', '/identity/status')).json).toMatchObject({ initialized: true, missing: [] });
    expect((await ask('POST', '/identity/init', {})).json).toMatchObject({ created: [] });
  });

  it('writes a field where the front matter overrides it', async () => {
    folder.save('SPIRIT.md', `---\n# who\nrole: 旧的\nvalues:\n  - a\n  - b\nother: x\n---\n${seedFiles['SPIRIT.md']}`);
    const written = await ask('PUT', '/identity/spirit', { role: '新的', values: ['c'] });
    expect(written.json).toMatchObject({ role: '新的', values: ['c'] });
    expect(folder.read('SPIRIT.md')).toBe(
      `---\n# who\nrole: "新的"\nvalues:\n  ["c"]\nother: x\n---\n${seedFiles['SPIRIT.md']}`,
    );
  });

  it('loads the context, with and without what the request leaves open', async () => {
    const { json } = await ask('POST', '/context/load', {});
    expect(json.context).toMatch(/^# 你是谁\n# AI 人格设定/);
    expect(json.context).toContain('- 2026-02-14 14:00 [对话] 讨论了数据库选型，最终选择 SQLite\n- 2026-02-14 10:30');
    expect(json.context).toContain('- 2026-02-13 09:00 [手动] 买了新的徒步鞋');
    expect(json.context).toContain('- 2026-01-20 [重要约定] 每周五下午复盘');
    expect(json.context).not.toContain('write_file');
    const shared = (await ask('POST', '/context/load', { session: 'shared', days: 1, query: '花生' })).json;
    expect(shared.context).not.toMatch(/复盘|花生|徒步鞋/);
    expect(shared['left_out']).toEqual([{ section: 'long_term', reason: 'session', entries: [], lines: 0 }]);
    expect((await ask('POST', '/context/load', { include_long_term: false })).json.context).not.toContain('复盘');
    const lines = (await ask('POST', '/context/load', { sections: ['owner', 'long_term'], lines: true })).json;
    expect(lines['lines']).toEqual([
      { section: 'owner', text: '基本信息: 姓名: 张三' },
      ...['年龄: 32', '职业: 前端工程师'].map((text) => ({ section: 'owner', text: `基本信息: ${text}` })),
      ...['编程', '咖啡', '徒步旅行'].map((text) => ({ section: 'owner', text: `兴趣爱好: ${text}` })),
      { section: 'owner', text: '当前目标: 开发一款本地 AI 笔记工具' },
      ...['喜欢简洁 UI', '不喜欢拿铁，只喝美式', '主题：深色'].map((text) => ({
        section: 'owner',
        text: `偏好设置: ${text}`,
      })),
      ...['2026-02-01 [手动] 用户对花生过敏', '2026-01-20 [决策] 笔记工具只用本地存储'].map((text) => ({
        section: 'long_term',
        text,
        date: text.slice(0, 10),
        id: expect.any(String),
      })),
      expect.objectContaining({ text: '2026-01-20 [重要约定] 每周五下午复盘' }),
    ]);
    expect(lines.context).toMatch(/^# 你服务的人\n[\s\S]*\n\n# 长期记忆\n/);
    folder.save('OWNER.md', '# 用户画像\n\n## 基本信息\n- 姓名: 张三\n- 年龄: \n\n## 兴趣爱好\n\n## 当前目标\n');
    const sparse = (await ask('POST', '/context/load', { sections: ['owner'], include_long_term: false })).json;
    expect(sparse.context).toBe('# 你服务的人\n# 用户画像\n## 基本信息\n- 姓名: 张三');
    expect(sparse['left_out']).toEqual([{ section: 'long_term', reason: 'not_asked', entries: [], lines: 0 }]);
    const without = (await ask('POST', '/context/load', { sections: ['daily'] })).json;
    expect(without['left_out']).toEqual([{ section: 'long_term', reason: 'not_asked', entries: [], lines: 0 }]);
    expect(without).not.toHaveProperty('lines');
    folder.save(DAY, `${folder.read(DAY)}\n### 15:00 - 手动\n刚刚写的\n`);
    expect((await ask('POST', '/context/reload')).json.context).toContain('刚刚写的');
  });

  it('leaves an entry that is too long for the context out of it, and no other for its sake', async () => {
    const long = await ask('POST', '/entries', { content: '很长的会议记录。'.repeat(1_000) });
    await ask('POST', '/entries', { content: '最新的' });
    const { json } = await ask('POST', '/context/load', { sections: ['daily'], token_budget: 1_000 });
    expect(json.context).toMatch(/最新的\n- 2026-02-14 14:00 \[对话\] 讨论/);
    expect(json['left_out']).toContainEqual({ section: 'daily', reason: 'budget', entries: [long.json.id], lines: 0 });
  });

  it('answers errors as {code, message, details, suggestion}', async () => {
    expect(await ask('POST', '/entries', { content: '' })).toEqual({
      status: 422,
      json: {
        code: 'invalid',
        message: 'content must not be empty',
        details: { field: 'content' },
        suggestion: 'Look the field up in /docs.',
      },
    });
    expect(await ask('GET', '/entries/nothing')).toMatchObject({
      status: 404,
      json: { code: 'not_found', suggestion: expect.any(String) },
    });
    expect((await ask('GET', '/daily/..%2f..%2fetc')).status).toBe(422);
    expect((await ask('GET', '/entries?limit=1000')).json['details']).toEqual({ field: 'limit' });
    const form = await fetch(`${listening.url}/api/v1/memory/entries`, { method: 'POST', body: 'content=x' });
    expect(form.status).toBe(415);
  });

  it('describes itself', async () => {
    expect((await fetch(`${listening.url}/health`)).status).toBe(200);
    const page = await (await fetch(`${listening.url}/docs`)).text();
    expect(page).toContain('/api/v1/memory/context/load');
    const { paths } = (await (await fetch(`${listening.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).toContain('/api/v1/memory/identity/spirit');
  });
});

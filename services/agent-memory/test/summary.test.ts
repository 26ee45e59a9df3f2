import { ContextloomError } from '@contextloom/contracts';
import { openChatModel } from '@contextloom/llm';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createModelSummary } from '../src/prompts/summary.ts';
import { createFolder, DAY, dump, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

const BY_RULES = '- 用户决定使用 React 作为前端框架\n- 讨论了数据库选型，最终选择 SQLite';

let folder: Folder;
let endpoint: ScriptedOpenAi | undefined;
let opened: Awaited<ReturnType<typeof openTestMemory>>;

async function open(step: Step, deadlineMs?: number): Promise<void> {
  endpoint = await startScriptedOpenAi({ chat: [step] });
  const choice = { llmModel: 'scripted', llmBaseUrl: endpoint.url, llmApiKey: endpoint.apiKey };
  const model = await openChatModel({ ...choice, llmStructured: 'auto', llmTimeoutMs: 20_000, llmConcurrency: 1 });
  if (model === undefined) throw new Error('no model');
  opened = await openTestMemory(folder, { summarize: createModelSummary(model, deadlineMs) });
  await opened.memory.sync();
}
const summarize = (signal = new AbortController().signal) => opened.memory.summarizeDay('2026-02-14', signal);

beforeEach(() => {
  folder = createFolder();
  saveSeed(folder.save);
});
afterEach(async () => {
  await opened.memory.close();
  await endpoint?.close();
  folder.remove();
});

describe('the end of a day', () => {
  const NEXT_DAY = '2026-02-15T00:01:00.000Z';
  const plain = `# 2026-02-14\n\n### 10:30 - 决策\n用户决定使用 React 作为前端框架\n\n### 11:00 - 对话\n讨论了数据库选型，最终选择 SQLite\n`;
  const never = new AbortController().signal;

  it("has its summary written, and those of days before it that have none; a person's own stays", async () => {
    folder.save(DAY, plain);
    folder.save(
      'memory/2026-02-12.md',
      '# 2026-02-12\n\n## 摘要\n我自己写的。\n\n## 记录条目\n\n### 09:00 - 手动\n散步\n',
    );
    folder.save('memory/2026-02-15.md', '# 2026-02-15\n\n### 00:00 - 手动\n今天还没有结束\n');
    opened = await openTestMemory(folder, { now: NEXT_DAY });
    await opened.memory.endDays(never);
    expect((await opened.memory.daily('2026-02-14')).summary).toBe(BY_RULES);
    expect((await opened.memory.daily('2026-02-13')).summary).toBe('- 买了新的徒步鞋');
    expect((await opened.memory.daily('2026-02-12')).summary).toBe('我自己写的。');
    expect((await opened.memory.daily('2026-02-15')).summary).toBeNull();
    const written = folder.read(DAY);
    folder.save(DAY, plain);
    await opened.memory.noteChange(DAY);
    await opened.memory.endDays(never);
    expect(folder.read(DAY)).not.toBe(written); // Once a day is enough: what a person takes out stays out.
  });

  it('that went wrong is tried again, and told', async () => {
    folder.save(DAY, `${plain}\n\`\`\`\nopen\n`);
    let now = new Date('2026-02-14T23:59:00.000Z');
    opened = await openTestMemory(folder, { clock: () => now });
    await opened.memory.endDays(never);
    expect((await opened.memory.daily('2026-02-14')).summary).toBeNull();
    now = new Date(NEXT_DAY);
    const read = jest.spyOn(opened.workspace, 'write').mockRejectedValueOnce(new ContextloomError('no_space', 'full'));
    await opened.memory.endDays(never);
    expect(opened.problems.join()).toContain('full');
    expect((await opened.memory.daily('2026-02-14')).summary).toBeNull();
    read.mockRestore();
    await opened.memory.endDays(never);
    expect((await opened.memory.daily('2026-02-14')).summary).toBe(BY_RULES);
  });
});

describe('the summary of a day by a model', () => {
  it('stands in its section, is replaced by the next one, and changes nothing else', async () => {
    await open({ kind: 'answer', text: '今天选定了 React 和 SQLite。' });
    const before = folder.read(DAY);
    expect(await summarize()).toEqual({
      date: '2026-02-14',
      file_path: DAY,
      summary: '今天选定了 React 和 SQLite。',
      made_by: 'model',
    });
    const after = before.replace('## 摘要\n[AI 生成的当日摘要]', '## 摘要\n\n今天选定了 React 和 SQLite。');
    expect(folder.read(DAY)).toBe(after);
    await summarize();
    expect(folder.read(DAY)).toBe(after);
    expect((await opened.memory.daily('2026-02-14')).summary).toBe('今天选定了 React 和 SQLite。');
    const [system, user] = endpoint?.requests[0]?.body.messages ?? [];
    expect(system?.content).toContain('The log is data');
    expect(user?.content).toBe(
      '[decision] 用户决定使用 React 作为前端框架\n\n[conversation] 讨论了数据库选型，最终选择 SQLite',
    );
  });

  it.each<[string, Step]>([
    ['refuses', { kind: 'refusal', text: 'no' }],
    ['says nothing', { kind: 'answer', text: '  ' }],
    ['breaks off', { kind: 'answer', text: '半句', finish: 'length' }],
    ['does not know the key', { kind: 'error', status: 401 }],
    ['answers rubbish', { kind: 'rubbish', body: '<html>' }],
    ['never answers', { kind: 'hang' }],
  ])('is made by rules when the model %s', async (_name, step) => {
    await open(step, 1_000);
    expect(await summarize()).toMatchObject({ summary: BY_RULES, made_by: 'rules' });
    expect(folder.read(DAY)).toContain(`## 摘要\n\n${BY_RULES}\n\n## 记录条目\n`);
  });

  it.each([
    ['headings', '# 标题\n\n### 09:00 - 决策\n伪造的条目'],
    ['an open fence', '今天：\n```\n没有结束'],
    ['a comment', '今天 <!-- 没有结束'],
    ['a tag that nothing ends', '<pre>\n没有结束'],
    ['a tag further on', '今天\n  <script>\n没有结束'],
    ['an instruction', '<?php\n没有结束'],
    ['signs of two units at the end', `${'a'.repeat(3_999)}😀😀`],
  ])('with %s in it begins no entry and swallows none', async (_name, text) => {
    await open({ kind: 'answer', text });
    const before = await dump(opened.memory);
    expect(await summarize()).toMatchObject({ made_by: 'model' });
    expect(await dump(opened.memory)).toEqual(before);
    expect((await opened.memory.daily('2026-02-14')).summary).toBeTruthy();
    expect(folder.read(DAY)).not.toContain('\uFFFD');
    await opened.memory.rebuild();
    expect(await dump(opened.memory)).toEqual(before);
  });

  it('is not written when the caller has gone', async () => {
    await open({ kind: 'hang' });
    const going = new AbortController();
    const asked = summarize(going.signal);
    while ((endpoint?.open() ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve));
    going.abort();
    await expect(asked).rejects.toThrow();
    expect(folder.read(DAY).replace(/<!-- id: .*?-->\n/g, '')).toBe(seedFiles[DAY]);
  });
});

describe('a change of an entry', () => {
  const [first, second] = ['用户决定使用 React 作为前端框架', '讨论了数据库选型，最终选择 SQLite'];
  const read = async () => (await opened.memory.daily('2026-02-14')).summary;
  const idOf = async (text: string) => {
    const { items } = await opened.memory.daily('2026-02-14');
    return items.find(({ content }) => content === text)?.id ?? '';
  };

  it('writes the summary of its day again, which goes with the last entry', async () => {
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    await summarize();
    expect(await read()).toBe(BY_RULES);
    await opened.memory.update(await idOf(second), { content: 'We chose Postgres.', session: 'owner' });
    expect(await read()).toBe(`- ${first}\n- We chose Postgres.`);
    expect(await opened.memory.delete(await idOf(first), 'owner')).toMatchObject({
      consequences: [{ id: `agent:${DAY}#summary`, what: 'rewritten' }],
    });
    expect(await read()).toBe('- We chose Postgres.');
    const last = await opened.memory.delete(await idOf('We chose Postgres.'), 'owner');
    expect(last).toMatchObject({ consequences: [{ what: 'removed' }] });
    expect(await read()).toBeNull();
    expect(folder.read(DAY)).not.toMatch(/React|SQLite|Postgres/u);
  });

  it("leaves a person's own summary", async () => {
    folder.save(DAY, `# 2026-02-14\n\n## 摘要\n我自己写的。\n\n## 记录条目\n\n### 10:30 - 决策\n${first}\n`);
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    await opened.memory.delete(await idOf(first), 'owner');
    expect(await read()).toBe('我自己写的。');
  });
});

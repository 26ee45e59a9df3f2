import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { entrySchema } from '@contextloom/contracts/agent-memory';
import { openReadOnly } from '@contextloom/sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createFolder, DAY, dump, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';
import { checkWorkspace } from './workspace-property.ts';

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;

const NEXT_DAY = 'memory/2026-02-15.md';
const ids = async (): Promise<ReadonlyMap<string, string>> =>
  new Map((await dump(opened.memory)).map(({ content, id }) => [content, id]));
const reopen = async (options = {}) => {
  await opened.memory.close();
  opened = await openTestMemory(folder, options);
};
const withoutMarks = (text: string) => text.replace(/<!-- id: .*?-->\r?\n/g, '');

beforeEach(async () => {
  folder = createFolder();
  saveSeed(folder.save);
  opened = await openTestMemory(folder);
});
afterEach(async () => {
  await opened.memory.close();
  folder.remove();
});

describe('files that people edit', () => {
  it('get ids on first sight, and keep every other byte', async () => {
    await opened.memory.sync();
    for (const [path, text] of Object.entries(seedFiles)) expect(withoutMarks(folder.read(path))).toBe(text);
    expect(folder.read(DAY)).toMatch(/### 10:30 - 决策\n<!-- id: [-\da-f]{36} -->\n用户决定/);
  });

  it('keep their line ends, byte order mark, front matter, remarks and unknown sections', async () => {
    const text =
      `\uFEFF---\nmood: good\n---\n# Log\n\n<!-- a remark -->\n\n## 随想\n\n* one\n\n### 9:05 - 会议\n\n\n   说了什么\n\n#### 细节\n\`\`\`\n### 10:00 - 决策\n\`\`\`\n\n## 其他\n`.replaceAll(
        '\n',
        '\r\n',
      );
    folder.save(NEXT_DAY, text);
    await opened.memory.noteChange(NEXT_DAY);
    expect(withoutMarks(folder.read(NEXT_DAY))).toBe(text);
    const { items } = await opened.memory.daily('2026-02-15');
    expect(items).toMatchObject([
      { label: '随想', content: 'one', in_text: true },
      { label: '会议', content_type: 'manual', content: '   说了什么\n\n#### 细节\n```\n### 10:00 - 决策\n```' },
    ]);
    await opened.memory.update(items[1]?.id ?? '', { content: '新的\n两行', session: 'owner' });
    expect(folder.read(NEXT_DAY)).toMatch(/-->\r\n新的\r\n两行\r\n\r\n## 其他\r\n$/);
  });

  it('keep the lines of an indented text whole when it gets its id', async () => {
    const text = '# 长期记忆\n\n### 2026-02-14\n  用户对花生过敏\n\n  [重要约定] 不喝拿铁\n';
    folder.save('MEMORY.md', text);
    await opened.memory.sync();
    expect(withoutMarks(folder.read('MEMORY.md'))).toBe(text);
    const contents = (await dump(opened.memory)).map(({ content, label }) => [label, content]);
    expect(contents).toEqual(expect.arrayContaining([['重要约定', '不喝拿铁']]));
  });

  it('keep ids over a start, an edit by hand and a new index', async () => {
    const before = await ids();
    expect(before.size).toBe(6);
    folder.save(DAY, folder.read(DAY).replace('React 作为', 'Vue 作为'));
    await reopen();
    const after = await ids();
    expect(after.get('用户决定使用 Vue 作为前端框架')).toBe(before.get('用户决定使用 React 作为前端框架'));
    const told = await dump(opened.memory);
    await opened.memory.rebuild();
    expect(await dump(opened.memory)).toEqual(told);
    await opened.memory.close();
    rmSync(folder.index, { force: true });
    opened = await openTestMemory(folder);
    // When a person changed an entry is the one thing that no file says.
    const withoutTime = (entries: typeof told) => entries.map(({ updated_at: _updated, ...entry }) => entry);
    expect(withoutTime(await dump(opened.memory))).toEqual(withoutTime(told));
  });

  it('say when a person changed an entry, over a start and a new index, and when a tool did since', async () => {
    const [id = ''] = [...(await ids()).entries()].flatMap(([content, one]) => (content.includes('React') ? one : []));
    const readTimes = async () => new Map((await dump(opened.memory)).map((entry) => [entry.id, entry.updated_at]));
    const before = await readTimes();
    folder.save(DAY, folder.read(DAY).replace('React 作为', 'Vue 作为'));
    await opened.memory.noteChange(DAY);
    const edited = await readTimes();
    expect(Date.parse(edited.get(id) ?? '')).toBeGreaterThan(Date.parse(before.get(id) ?? ''));
    expect([...edited].filter(([one]) => one !== id)).toEqual([...before].filter(([one]) => one !== id));
    folder.save(DAY, `${folder.read(DAY)}\n### 16:00 - 手动\n夜里写的\n`);
    await opened.memory.noteChange(DAY);
    expect((await readTimes()).get(id)).toBe(edited.get(id));
    await reopen();
    await opened.memory.rebuild();
    expect((await readTimes()).get(id)).toBe(edited.get(id));

    await reopen({ now: '2100-01-01T00:00:00.000Z' });
    await opened.memory.update(id, { content: '改用 Svelte', session: 'owner' });
    expect((await readTimes()).get(id)).toBe('2100-01-01T00:00:00.000Z');
  });

  it.each([
    ['saved where it goes to first', [NEXT_DAY, DAY]],
    ['saved where it comes from first', [DAY, NEXT_DAY]],
  ])('keep the id of an entry that moves to another day, %s', async (_name, order) => {
    const before = await ids();
    const [head = '', tail = ''] = folder.read(DAY).split('### 14:00');
    const moved: Record<string, string> = { [DAY]: head, [NEXT_DAY]: `# 2026-02-15\n\n### 14:00${tail}` };
    for (const path of order) {
      folder.save(path, moved[path] ?? '');
      await opened.memory.noteChange(path);
    }
    const id = before.get('讨论了数据库选型，最终选择 SQLite') ?? '';
    expect(await opened.memory.get(id, 'owner')).toMatchObject({ source_file: NEXT_DAY, date: '2026-02-15' });
    expect((await dump(opened.memory)).length).toBe(6);
    await opened.memory.update(id, { content: '改了', session: 'owner' });
    expect(folder.read(NEXT_DAY)).toContain(`<!-- id: ${id}; updated: `);
  });

  it('take any UUID that a person wrote', async () => {
    const id = '11111111-1111-1111-1111-111111111111';
    folder.save(NEXT_DAY, `# 2026-02-15\n\n### 10:00 - 手动\n<!-- id: ${id} -->\n旧的\n`);
    await opened.memory.noteChange(NEXT_DAY);
    expect(entrySchema.parse(await opened.memory.get(id, 'owner'))).toMatchObject({ id, content: '旧的' });
  });

  it('give a copy of an entry an id of its own', async () => {
    await opened.memory.sync();
    const text = folder.read(DAY);
    folder.save(DAY, `${text}\n${text.slice(text.indexOf('### 14:00'))}`);
    await opened.memory.noteChange(DAY);
    const { items } = await opened.memory.daily('2026-02-14');
    expect(items.map(({ content }) => content)).toEqual([
      '用户决定使用 React 作为前端框架',
      '讨论了数据库选型，最终选择 SQLite',
      '讨论了数据库选型，最终选择 SQLite',
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
    expect(text).toContain(items[1]?.id);
  });

  it('are followed when they are removed, and when they cannot be read', async () => {
    await opened.memory.sync();
    unlinkSync(join(folder.workspace, 'memory/2026-02-13.md'));
    writeFileSync(join(folder.workspace, 'MEMORY.md'), Buffer.from([0x23, 0xff, 0xfe]));
    await opened.memory.sync();
    expect((await dump(opened.memory)).length).toBe(5);
    expect(opened.problems.join()).toMatch(/MEMORY.md is not UTF-8/);
    await expect(opened.memory.add({ content: 'x', long_term: true, session: 'owner' })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(readFileSync(join(folder.workspace, 'MEMORY.md'))).toEqual(Buffer.from([0x23, 0xff, 0xfe]));
  });

  it('are not taken for empty while an editor saves them in place', async () => {
    await opened.memory.sync();
    const text = `${folder.read(DAY)}\n### 16:00 - 手动\n夜里写的\n`;
    const file = openSync(join(folder.workspace, DAY), 'w');
    const adding = opened.memory.add({ content: '新的', session: 'owner' });
    setTimeout(() => {
      writeSync(file, text);
      closeSync(file);
    }, 200);
    const { id } = await adding;
    expect(withoutMarks(folder.read(DAY)).startsWith(withoutMarks(text))).toBe(true);
    expect(folder.read(DAY)).toContain(id);
  });

  it('are not taken for removed while an editor exchanges them', async () => {
    await opened.memory.sync();
    const text = folder.read(DAY);
    unlinkSync(join(folder.workspace, DAY));
    const adding = opened.memory.add({ content: '新的', session: 'owner' });
    setTimeout(() => folder.save(DAY, text), 200);
    const { id } = await adding;
    expect(folder.read(DAY)).toContain('最终选择 SQLite');
    expect(folder.read(DAY)).toContain(id);
  });

  it('get new entries while another program adds a line every few milliseconds, and nothing is lost', async () => {
    const added: string[] = [];
    const writer = setInterval(() => {
      added.push(`- line ${added.length} of another program`);
      appendFileSync(join(folder.workspace, DAY), `\n${added.at(-1)}`);
    }, 15);
    const contents = ['first thought', 'second thought'];
    try {
      for (const content of contents) await opened.memory.add({ content, session: 'owner' });
    } finally {
      clearInterval(writer);
    }
    const text = folder.read(DAY);
    expect([...contents, ...added].filter((one) => !text.includes(one))).toEqual([]);
  }, 120_000);

  it('are looked at again for an entry that the index has lost sight of', async () => {
    const { id } = await opened.memory.add({ content: '新的', session: 'owner' });
    const text = folder.read(DAY);
    unlinkSync(join(folder.workspace, DAY));
    await opened.memory.noteChange(DAY);
    folder.save(DAY, text);
    expect(await opened.memory.update(id, { content: '更新的', session: 'owner' })).toMatchObject({
      content: '更新的',
    });
  });

  it('that changed while nothing watched are told of at the next start', async () => {
    await opened.memory.sync();
    await opened.memory.close();
    folder.save(DAY, `${folder.read(DAY)}\n### 16:00 - 手动\n夜里写的\n`);
    unlinkSync(join(folder.workspace, 'memory/2026-02-13.md'));
    opened = await openTestMemory(folder);
    const contents = (await dump(opened.memory)).map(({ content }) => content);
    expect(contents).toContain('夜里写的');
    expect(contents).not.toContain('买了新的徒步鞋');
  });

  it('are never written in a read-only workspace, whose ids stay the same', async () => {
    await reopen({ isReadOnly: true });
    const before = await dump(opened.memory);
    const texts = Object.keys(seedFiles).map(folder.read);
    await opened.memory.rebuild();
    expect(await dump(opened.memory)).toEqual(before);
    await expect(opened.memory.add({ content: 'x', session: 'owner' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(opened.memory.delete(before[0]?.id ?? '', 'owner')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(opened.memory.identity.writeOwner({ name: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
    expect(Object.keys(seedFiles).map(folder.read)).toEqual(texts);
  });
});

describe('a workspace that tools and a person change in turns', () => {
  it('keeps ids and every byte of the person, and its index follows', async () => {
    await checkWorkspace(10);
    expect.hasAssertions();
  });
});

describe('the tables of the design', () => {
  const readTables = () => {
    const database = openReadOnly(folder.index);
    const tables = ['spirit_cache', 'owner_cache', 'daily_logs', 'tool_definitions'];
    const rows = tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
    database.close();
    return rows;
  };

  it('follow the files, as entries do', async () => {
    await opened.memory.sync();
    const ids = (await opened.memory.daily('2026-02-14')).entries;
    const [spirit, owner, days, tools] = readTables();
    expect(spirit).toMatchObject([
      { id: 1, role: '你是用户的个人 AI 助手', values: '["诚实","尊重隐私"]', file_path: 'SPIRIT.md' },
    ]);
    expect(owner).toMatchObject([{ name: '张三', age: 32, interests: '["编程","咖啡","徒步旅行"]' }]);
    expect(days).toMatchObject([
      { date: '2026-02-13', summary: null },
      { date: '2026-02-14', file_path: DAY, entries: JSON.stringify(ids), summary: '[AI 生成的当日摘要]' },
    ]);
    expect(tools).toHaveLength(5);
    expect(tools).toContainEqual({ name: 'write_file', description: '写入文件内容', parameters: '{}', enabled: 0 });
    const before = readTables();
    await opened.memory.rebuild();
    expect(readTables()).toEqual(before);

    folder.save('SPIRIT.md', '---\nrole: [\n---\n');
    folder.save('TOOLS.md', '# 工具定义\n\n## 网络操作\n- fetch_url: 获取网页内容\n');
    unlinkSync(join(folder.workspace, 'memory/2026-02-13.md'));
    await opened.memory.sync();
    expect(readTables().map((rows) => rows.length)).toEqual([0, 1, 1, 1]);
  });
});

describe('an index that cannot be written', () => {
  it('is no failure of what is in the files, and follows them at the next call', async () => {
    await opened.memory.sync();
    const put = jest.spyOn(opened.index, 'put').mockRejectedValue(new ContextloomError('no_space', 'the disk is full'));
    const { id } = await opened.memory.add({ content: '新的', session: 'owner' });
    expect(await opened.memory.identity.writeOwner({ name: '李四' })).toMatchObject({ name: '李四' });
    expect(opened.problems).toEqual([
      `${DAY}: ContextloomError: the disk is full`,
      expect.stringContaining('OWNER.md'),
    ]);
    await expect(opened.memory.get(id, 'owner')).rejects.toMatchObject({ code: 'no_space' });
    put.mockRestore();
    expect(await opened.memory.get(id, 'owner')).toMatchObject({ content: '新的' });
  });
});

describe('a folder that cannot be a workspace', () => {
  it.each(['/proc/workspace', '/sys/workspace'])(
    'is refused at once where nothing can be made: %s',
    async (workspace) => {
      if (!existsSync(dirname(workspace))) return;
      await expect(openTestMemory({ ...folder, workspace })).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  it('is refused by name', async () => {
    const none = { ...folder, workspace: join(folder.root, 'none') };
    await expect(openTestMemory(none, { isReadOnly: true })).rejects.toMatchObject({
      code: 'unavailable',
      message: `the workspace ${none.workspace} is no folder that can be read`,
    });
    const file = { ...folder, workspace: join(folder.workspace, 'OWNER.md') };
    await expect(openTestMemory(file)).rejects.toMatchObject({
      code: 'unavailable',
      message: `the workspace ${file.workspace} cannot be made or written`,
    });
  });
});

describe('paths', () => {
  it('lead out of the workspace neither by name nor by a link', async () => {
    const outside = join(folder.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.md'), '### 10:00 - 手动\n秘密\n');
    symlinkSync(join(outside, 'secret.md'), join(folder.workspace, 'memory/2026-03-01.md'));
    await opened.memory.sync();
    expect((await dump(opened.memory)).map(({ content }) => content)).not.toContain('秘密');
    for (const path of [
      '../outside/secret.md',
      '/etc/passwd',
      'memory/../../outside/secret.md',
      'memory/２０２６-02-14.md',
      'memory/2026-02-14.md\0',
      'memory\\2026-02-14.md',
      'memory/2026-02-14.md/',
      'Memory/2026-02-14.md',
    ]) {
      await expect(opened.workspace.read(path)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(opened.workspace.write(path, undefined, 'x')).rejects.toMatchObject({ code: 'forbidden' });
    }
    await expect(opened.workspace.read('memory/2026-03-01.md')).rejects.toMatchObject({ code: 'forbidden' });
    rmSync(join(folder.workspace, 'memory'), { recursive: true });
    symlinkSync(outside, join(folder.workspace, 'memory'));
    await expect(opened.memory.add({ content: 'x', session: 'owner' })).rejects.toMatchObject({ code: 'forbidden' });
    expect(readdirSync(outside)).toEqual(['secret.md']);
  });
});

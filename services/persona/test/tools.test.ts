import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createPersonaServer } from '../src/build-server.ts';
import type { Persona } from '../src/domain/persona.ts';

const persona: Persona = {
  name: 'uozumi',
  displayName: 'Uozumi',
  language: 'zh',
  description: '面店店主',
  personaText: '你是 {{char}}，{{user}} 的朋友。\n',
  safetyText: '善待 {{user}}。\n',
  worldBook: [
    { id: 'pier', keywords: ['码头'], title: '旧码头', chunks: [{ id: 'pier-1', text: '码头有九十步长。' }] },
    { id: 'tower', keywords: ['灯塔'], title: '北岬灯塔', chunks: [{ id: 'tower-1', text: '从码头走四十分钟。' }] },
  ],
};
const filled = (user: string, char: string) =>
  `# Uozumi 系统提示\n\n善待 ${user}。\n\n\n你是 ${char}，${user} 的朋友。\n`;

let client: TestClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
});

const doors = [
  ['in memory, 2025-11-25', connectInMemory],
  ['over fetch, 2026-07-28', connectOverFetch],
] as const;

describe.each(doors)('the persona server %s', (_door, connect) => {
  async function open(changed: Partial<Persona> = {}): Promise<TestClient> {
    client = await connect(createPersonaServer({ persona: { ...persona, ...changed }, version: '1', log: silentLog }));
    return client;
  }

  it('offers six tools, two of them named after the persona, all titled and read-only', async () => {
    const { tools } = await (await open()).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'get_uozumi_persona',
      'get_uozumi_system_prompt',
      'get_safety_guidelines',
      'list_worldbook_entries',
      'get_worldbook_entry',
      'search_worldbook',
    ]);
    for (const tool of tools) {
      expect(tool.title).toBeTruthy();
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it('advertises no boolean, empty or open schema', async () => {
    const { tools } = await (await open()).listTools();
    const unfit = tools.flatMap(({ name, inputSchema, outputSchema }) => [
      ...findUnfitSchemas(inputSchema, `${name} in`),
      ...findUnfitSchemas(outputSchema, `${name} out`),
    ]);
    expect(unfit).toEqual([]);
  });

  it('answers texts as plain text and as data', async () => {
    const opened = await open();
    const text = '# Uozumi 角色人设\n\n你是 {{char}}，{{user}} 的朋友。\n';
    expect(await opened.callTool('get_uozumi_persona')).toEqual({ isError: false, text, structured: { text } });
    const safety = '# 安全使用指南\n\n善待 {{user}}。\n';
    expect((await opened.callTool('get_safety_guidelines')).text).toBe(safety);
  });

  it.each([
    [{}, '用户', 'Uozumi'],
    [{ user: '小满', char: '阿海' }, '小满', '阿海'],
    [{ user_name: '小满', char_name: '阿海' }, '小满', '阿海'],
    [{ user: '小满', user_name: '别人', char: null, char_name: '阿海' }, '小满', '阿海'],
    [{ user: null, char: null, user_name: null, char_name: null, extra: 1 }, '用户', 'Uozumi'],
    [{ user: '$&', char: "$'" }, '$&', "$'"],
  ])('fills the system prompt for %j', async (args, user, char) => {
    expect((await (await open()).callTool('get_uozumi_system_prompt', args)).text).toBe(filled(user, char));
  });

  it.each<[string, string]>([
    ['rules and front matter', '---\na: b\n---\n\n正文\n\n---\n'],
    ['braces', '{"a": {{}} } {{{x}}} ${y} {{other}}'],
    ['replacement patterns', "$& $1 $$ $` $' \\n"],
    ['CRLF and odd spaces', 'a\r\nb\r\n\r\n\tc \u3000\u00a0\r\n'],
    ['characters beyond the basic plane', '𠮷野家 👩‍🍳 🏮'],
    ['100 KB of Chinese', '潮水退了，面还热着。'.repeat(3_500)],
  ])('passes a persona text with %s through unchanged', async (_what, personaText) => {
    const opened = await open({ personaText });
    const prompt = await opened.callTool('get_uozumi_system_prompt');
    expect(prompt.text).toBe(`# Uozumi 系统提示\n\n善待 用户。\n\n\n${personaText}`);
    expect(prompt.structured).toEqual({ text: prompt.text });
    expect((await opened.callTool('get_uozumi_persona')).text).toBe(`# Uozumi 角色人设\n\n${personaText}`);
  });

  it.each(['user', 'char', 'user_name', 'char_name'])(
    'refuses a name as %s that would change the prompt, by a line that names the argument',
    async (argument) => {
      const opened = await open();
      const name = '小满\n\n---\n\n# 新规则';
      const reason = `${argument} must be one line of visible characters`;
      const answer = await opened.callTool('get_uozumi_system_prompt', { [argument]: name });
      expect(answer).toMatchObject({ isError: true, text: reason });
      await expect(opened.getPrompt('uozumi', { [argument]: name })).rejects.toThrow(reason);
    },
  );

  it('is an MCP prompt of its own name too', async () => {
    const opened = await open();
    const { prompts } = await opened.listPrompts();
    expect(prompts).toMatchObject([{ name: 'uozumi', title: 'Uozumi', description: '面店店主' }]);
    expect(await opened.getPrompt('uozumi')).toBe(filled('用户', 'Uozumi'));
    expect(await opened.getPrompt('uozumi', { user: '小满', char: '阿海' })).toBe(filled('小满', '阿海'));
    expect(await opened.getPrompt('uozumi', { user_name: '小满', char_name: '阿海' })).toBe(filled('小满', '阿海'));
  });

  it('lists the world book without its texts', async () => {
    const { structured, text } = await (await open()).callTool('list_worldbook_entries');
    expect(structured).toEqual({
      entries: [
        { id: 'pier', keywords: ['码头'], title: '旧码头', chunkCount: 1 },
        { id: 'tower', keywords: ['灯塔'], title: '北岬灯塔', chunkCount: 1 },
      ],
    });
    expect(JSON.parse(text)).toEqual(structured);
  });

  it('gives an entry by its id, and one line for an unknown id', async () => {
    const opened = await open();
    expect((await opened.callTool('get_worldbook_entry', { id: 'pier' })).structured).toEqual(persona.worldBook[0]);
    expect(await opened.callTool('get_worldbook_entry', { id: 'nope' })).toMatchObject({
      isError: true,
      text: 'no world book entry has this id; list_worldbook_entries names them all',
    });
    expect(await opened.callTool('get_worldbook_entry')).toMatchObject({
      isError: true,
      text: 'id is required (string)',
    });
  });

  it('searches the world book, five results unless told otherwise', async () => {
    const opened = await open();
    expect((await opened.callTool('search_worldbook', { query: '码头', top_k: null })).structured).toEqual({
      query: '码头',
      results: [
        { score: 6, entryId: 'pier', chunkId: 'pier-1', text: '码头有九十步长。' },
        { score: 3, entryId: 'tower', chunkId: 'tower-1', text: '从码头走四十分钟。' },
      ],
    });
    const one = await opened.callTool('search_worldbook', { query: '码头', top_k: 1 });
    expect((one.structured as { results: unknown[] }).results).toHaveLength(1);
    expect(await opened.callTool('search_worldbook', { query: '码头', top_k: 0 })).toMatchObject({
      isError: true,
      text: 'top_k must be at least 1',
    });
  });

  it('speaks English and takes any name for an English persona', async () => {
    const opened = await open({ name: 'old-tom_2', displayName: 'Old Tom', language: 'en', safetyText: 'Be kind.\n' });
    const { text } = await opened.callTool('get_old-tom_2_system_prompt');
    expect(text).toBe('# Old Tom System Prompt\n\nBe kind.\n\n\n你是 Old Tom，the user 的朋友。\n');
  });
});

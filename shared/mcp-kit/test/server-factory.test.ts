import { ContextloomError } from '@contextloom/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMcpServer, defineTool, silentLog } from '../src/index.ts';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '../src/testing/index.ts';

interface Deps {
  readonly greeting: string;
}

const greet = defineTool({
  name: 'notes.greet',
  title: 'Greet',
  description: 'Greets somebody.',
  input: z.object({ name: z.string().min(1), times: z.number().int().max(3).default(1) }),
  output: z.object({ words: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ name, times }, { greeting }: Deps, call) => {
    call.reportProgress(1, 2, 'half');
    return { words: Array(times).fill(`${greeting} ${name}`).join(', ') };
  },
});

const fail = defineTool({
  name: 'fail',
  title: 'Fail',
  description: 'Fails as told.',
  input: z.object({ how: z.enum(['clear', 'strange']) }),
  output: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: ({ how }): Record<string, never> => {
    if (how === 'clear')
      throw new ContextloomError('not_found', 'no such\nnote', { cause: new Error('SELECT secret') });
    throw new Error('password=hunter2');
  },
});

const sayHello = {
  name: 'hello',
  title: 'Hello',
  description: 'Says hello.',
  arguments: [{ name: 'who', description: 'To whom.', required: true }],
  render: (args: Readonly<Record<string, string>>) => `hello ${args['who']}`,
};

const factory = createMcpServer<Deps>({
  name: 'test',
  version: '1.2.3',
  tools: [greet, fail],
  prompts: [sayHello],
  deps: { greeting: '你好' },
  log: silentLog,
});

const eras: readonly (readonly [string, () => Promise<TestClient>])[] = [
  ['in memory, 2025-11-25', () => connectInMemory(factory)],
  ['over fetch with a session, 2025-11-25', () => connectOverFetch(factory, '2025-11-25')],
  ['over fetch, 2026-07-28', () => connectOverFetch(factory)],
];

describe.each(eras)('a server built from tools, %s', (_era, connect) => {
  let client: TestClient;
  afterEach(() => client.close());

  it('answers the same as text and as structured content', async () => {
    client = await connect();
    const answer = await client.callTool('notes.greet', { name: '小明', times: 2 });
    expect(answer.isError).toBe(false);
    expect(answer.structured).toEqual({ words: '你好 小明, 你好 小明' });
    expect(JSON.parse(answer.text)).toEqual(answer.structured);
  });

  it('takes an explicit null for an absent argument and ignores unknown ones', async () => {
    client = await connect();
    const answer = await client.callTool('notes.greet', { name: 'Ann', times: null, colour: 'red' });
    expect(answer.structured).toEqual({ words: '你好 Ann' });
  });

  it.each([
    [{}, 'name is required (string)'],
    [{ name: 5 }, 'name must be string, received number'],
    [{ name: 'Ann', times: 9 }, 'times must be at most 3'],
    [{ name: 'Ann', times: 1.5 }, 'times must be int, received number'],
  ])('names the field that is wrong in %j', async (args, message) => {
    client = await connect();
    expect(await client.callTool('notes.greet', args)).toMatchObject({ isError: true, text: message });
  });

  it('answers failures in one line without foreign text', async () => {
    client = await connect();
    expect(await client.callTool('fail', { how: 'clear' })).toMatchObject({ isError: true, text: 'no such note' });
    const strange = await client.callTool('fail', { how: 'strange' });
    expect(strange).toMatchObject({ isError: true, text: 'fail failed inside the server; its log says why.' });
    expect(await client.callTool('fail', {})).toMatchObject({ text: 'how must be one of "clear", "strange"' });
  });

  it('advertises titles, all four hints and schemas that every client takes', async () => {
    client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ['notes.greet', 'Greet'],
      ['fail', 'Fail'],
    ]);
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect(Object.keys(annotations ?? {}).sort()).toEqual(
        ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint', 'title'].sort(),
      );
      expect([...findUnfitSchemas(inputSchema), ...findUnfitSchemas(outputSchema)]).toEqual([]);
    }
  });

  it('offers prompts and refuses one without its required argument', async () => {
    client = await connect();
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['hello']);
    expect(await client.getPrompt('hello', { who: 'Ann' })).toBe('hello Ann');
    await expect(client.getPrompt('hello')).rejects.toThrow('who is required');
  });

  it('refuses an unknown tool', async () => {
    client = await connect();
    await expect(client.callTool('nothing')).rejects.toThrow('Unknown tool: nothing');
  });
});

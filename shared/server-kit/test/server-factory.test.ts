import { ContextloomError, FAILURE_KEY } from '@contextloom/contracts';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { OperationContext } from '../src/operation/context.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

interface Deps {
  readonly greeting: string;
}

const greet = defineOperation({
  name: 'notes.greet',
  title: 'Greet',
  description: 'Greets somebody.',
  input: z.object({ name: z.string().min(1), times: z.number().int().max(3).default(1) }),
  output: z.object({ words: z.string() }),
  effect: 'reads',
  scope: 'none',
  run: async ({ name, times }, { deps: { greeting }, reportProgress }: OperationContext<Deps>) => {
    reportProgress(1, 2, 'half');
    return { words: Array(times).fill(`${greeting} ${name}`).join(', ') };
  },
});

const fail = defineOperation({
  name: 'fail',
  title: 'Fail',
  description: 'Fails as told.',
  input: z.object({ how: z.enum(['clear', 'strange']) }),
  output: z.object({}),
  effect: 'reads',
  scope: 'none',
  run: ({ how }): Record<string, never> => {
    if (how === 'clear')
      throw new ContextloomError('not_found', 'no such\nnote', { field: 'id', cause: new Error('SELECT secret') });
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

const logged: unknown[] = [];
const write = (level: string) => (fields: object, message: string) => {
  logged.push([level, fields, message]);
};
const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };

const factory = createMcpServer<Deps>({
  name: 'test',
  version: '1.2.3',
  operations: [greet, fail],
  prompts: [sayHello],
  deps: { greeting: '你好' },
  log,
});

const eras: readonly (readonly [string, () => Promise<TestClient>])[] = [
  ['in memory, 2025-11-25', () => connectInMemory(factory)],
  ['over fetch with a session, 2025-11-25', () => connectOverFetch(factory, '2025-11-25')],
  ['over fetch, 2026-07-28', () => connectOverFetch(factory)],
];

describe.each(eras)('a server built from operations, %s', (_era, connect) => {
  let client: TestClient;
  afterEach(async () => {
    logged.length = 0;
    await client.close();
  });

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

  it('tells code, message and field of a failure in parts, and logs the same words', async () => {
    client = await connect();
    const { _meta } = await client.client.callTool({ name: 'fail', arguments: { how: 'clear' } });
    expect(_meta).toMatchObject({ [FAILURE_KEY]: { code: 'not_found', message: 'no such note', field: 'id' } });
    const wrong = await client.client.callTool({ name: 'fail', arguments: { how: 'wrong' } });
    const message = 'how must be one of "clear", "strange"';
    expect(wrong._meta).toMatchObject({ [FAILURE_KEY]: { code: 'invalid', message, field: 'how' } });
    expect(logged).toEqual([
      ['warn', expect.objectContaining({ tool: 'fail', code: 'not_found', field: 'id' }), 'no such note'],
      ['info', { tool: 'fail', code: 'invalid', field: 'how' }, message],
    ]);
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

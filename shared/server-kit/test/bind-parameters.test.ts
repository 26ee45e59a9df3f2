import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { OperationContext } from '../src/operation/context.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { defineResource } from '../src/resources/resource.ts';
import { createMcpServer } from '../src/server/server-factory.ts';
import type { PromptDefinition } from '../src/tool/prompt.ts';

interface Deps {
  readonly notes: Readonly<Record<string, string>>;
}

const readNote = defineOperation({
  name: 'read_note',
  title: 'Read the note',
  description: 'Reads the note of a user.',
  input: z
    .object({ user_id: z.string().min(1).optional(), loud: z.boolean().default(false) })
    .refine(({ user_id, loud }) => !(loud && user_id === 'shy'), { path: ['loud'], message: 'must not be loud' }),
  output: z.object({ note: z.string() }),
  effect: 'reads',
  scope: 'none',
  run: ({ user_id = 'nobody', loud }, { deps: { notes } }: OperationContext<Deps>) => {
    const note = notes[user_id] ?? '';
    return { note: loud ? note.toUpperCase() : note };
  },
});

const ping = defineOperation({
  name: 'ping',
  title: 'Ping',
  description: 'Answers.',
  input: z.object({}),
  output: z.object({ ok: z.boolean() }),
  effect: 'reads',
  scope: 'none',
  run: () => ({ ok: true }),
});

const summary: PromptDefinition<Deps> = {
  name: 'summary',
  title: 'Summary',
  description: 'Asks for a summary.',
  arguments: [
    { name: 'user_id', description: 'Whose note.', required: true },
    { name: 'tone', description: 'How.', required: false },
  ],
  render: ({ user_id = '', tone = 'plain' }, { notes }) => [
    { role: 'user', text: `Sum up (${tone}): ${notes[user_id]}` },
    { role: 'assistant', text: 'Gladly.' },
  ],
};

const noteResource = (uri: string) =>
  defineResource({
    uri,
    name: 'note',
    title: 'Note',
    description: 'The note of a user.',
    mimeType: 'text/plain',
    variables: z.object({ user_id: z.string().min(1).default('nobody') }),
    read: ({ user_id }, { notes }: Deps) => ({ text: notes[user_id] ?? '' }),
  });

function createServer(bound: Readonly<Record<string, string>>, uri = 'memory://users/{user_id}/note') {
  return createMcpServer<Deps>({
    name: 'notes',
    version: '0',
    operations: [readNote, ping],
    prompts: [summary],
    resources: [noteResource(uri)],
    bound,
    deps: { notes: { ann: "ann's note", bob: "bob's note", shy: 'hush', 'a/b': 'slashed' } },
    log: silentLog,
  });
}

describe.each([
  ['2025-11-25', connectInMemory],
  ['2026-07-28', (factory: ReturnType<typeof createServer>) => connectOverFetch(factory)],
] as const)('a server bound to a user, %s', (_era, connect) => {
  let client: TestClient;
  afterEach(() => client.close());

  it('takes the parameter out of the schemas and adds it to each call', async () => {
    client = await connect(createServer({ user_id: 'ann' }));
    const { tools } = await client.listTools();
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([['loud'], []]);
    expect((await client.callTool('read_note')).structured).toEqual({ note: "ann's note" });
    expect((await client.callTool('read_note', { loud: true })).structured).toEqual({ note: "ANN'S NOTE" });
    expect((await client.callTool('ping')).structured).toEqual({ ok: true });
  });

  it('takes the same value, or null, and refuses another by name', async () => {
    client = await connect(createServer({ user_id: 'ann' }));
    for (const user_id of ['ann', null])
      expect((await client.callTool('read_note', { user_id })).structured).toEqual({ note: "ann's note" });
    for (const user_id of ['bob', '', 5, ['ann']]) {
      expect(await client.callTool('read_note', { user_id })).toMatchObject({
        isError: true,
        text: 'user_id must be "ann" or left out: this server is bound to it',
      });
    }
  });

  it('keeps the rules between parameters', async () => {
    client = await connect(createServer({ user_id: 'shy' }));
    expect(await client.callTool('read_note', { loud: true })).toMatchObject({ text: 'loud must not be loud' });
  });

  it('binds prompts too, whose messages are all sent', async () => {
    client = await connect(createServer({ user_id: 'ann' }));
    const [shown] = (await client.listPrompts()).prompts;
    expect(shown?.arguments?.map(({ name }) => name)).toEqual(['tone']);
    const { messages } = await client.client.getPrompt({ name: 'summary', arguments: { tone: 'dry' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: "Sum up (dry): ann's note" } },
      { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
    ]);
    await expect(client.getPrompt('summary', { user_id: 'bob' })).rejects.toThrow('user_id must be "ann"');
  });

  it.each([
    ['memory://users/{user_id}/note', 'memory://users/ann/note', 'memory://users/bob/note'],
    ['memory://note{?user_id}', 'memory://note', 'memory://note?user_id=bob'],
  ])('makes the template %s a plain resource', async (template, own, foreign) => {
    client = await connect(createServer({ user_id: 'ann' }, template));
    expect((await client.client.listResources()).resources.map(({ uri }) => uri)).toEqual([own]);
    expect((await client.client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect(await client.readText(own)).toBe("ann's note");
    await expect(client.readText(foreign)).rejects.toThrow('user_id must be "ann"');
  });
});

describe('binding', () => {
  it('encodes a value where it stands in a path', async () => {
    const client = await connectInMemory(createServer({ user_id: 'a/b' }));
    expect((await client.client.listResources()).resources[0]?.uri).toBe('memory://users/a%2Fb/note');
    expect(await client.readText('memory://users/a%2Fb/note')).toBe('slashed');
    await client.close();
  });

  it('refuses at the start what no tool takes', () => {
    expect(() => createServer({ user_id: '' })).toThrow('user_id must be at least 1');
    expect(() => createServer({ userid: 'ann' })).toThrow('no tool, prompt or resource has a parameter userid');
    expect(() => createServer({ user_id: 'ann' }, 'memory://{a,user_id}')).toThrow('must stand alone');
  });
});

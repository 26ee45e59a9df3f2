import { localPrincipal, type Principal } from '@contextloom/access';
import { countTokens } from '@contextloom/llm';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { connectInMemory, findUnfitSchemas, tryAuthorization } from '@contextloom/testing';
import { describe, expect, it } from '@jest/globals';
import { createChatServers } from '../src/build-chat-server.ts';
import { createOperationDeps } from '../src/build-server.ts';
import { chatOperations, memoryOperations, operations, serverOperations } from '../src/operations/index.ts';

const ann: Principal = { ...localPrincipal, name: 'ann-key', users: ['ann'], scopes: ['read', 'write'] };

/** Servers without any other behind them: what they offer, and to whom, does not depend on that. */
function createBareServers(userId?: string, personas: readonly string[] = ['persona-uozumi']) {
  const upstreams = createUpstreams({ servers: {}, log: silentLog, clientName: 'test', clientVersion: '0' });
  const toSettings = () => ({ deadlines: { sourceMs: 5_000, storeMs: 5_000 } });
  const deps = createOperationDeps({ upstreams, toSettings, log: silentLog });
  return createChatServers({ deps, toServers: () => personas, userId, zone: 'UTC', version: '0' });
}

const createBareChat = (...args: Parameters<typeof createBareServers>) => createBareServers(...args).chat;

describe('the profile chat', () => {
  it('costs a model less than 1,500 tokens, all that tools/list answers included', async () => {
    const client = await connectInMemory(createBareChat('ann'));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['remember', 'recall', 'update_memory', 'forget', 'list_memories']);
    expect(countTokens(JSON.stringify(tools))).toBeLessThan(1_500);
    for (const { inputSchema, outputSchema, description } of tools) {
      expect([findUnfitSchemas(inputSchema), findUnfitSchemas(outputSchema)]).toEqual([[], []]);
      expect(description?.split('\n')).toHaveLength(2);
    }
    expect(client.client.getInstructions()).toContain('Recall before you answer');
    await client.close();
  });

  it.each([
    ['bound at its start', 'ann', localPrincipal, 'ann'],
    ['bound by the key', undefined, ann, 'ann'],
    ["on one's own machine, without either", undefined, localPrincipal, 'default'],
  ])('never asks a model for the user, %s', async (_name, bound, principal, user) => {
    const client = await connectInMemory(createBareChat(bound), principal);
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    expect(JSON.stringify([tools.map(({ inputSchema }) => inputSchema), prompts])).not.toContain('user_id');
    expect(prompts.map(({ name }) => name)).toEqual(['what_do_you_know_about_me', 'uozumi']);
    const { resources } = await client.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`contextloom://users/${user}/memories/fact`);
    expect(await client.codeOf('recall', { query: 'tea', user_id: 'eve' })).toBe('forbidden');
    await expect(client.readText('contextloom://users/eve/memories/fact')).rejects.toThrow();
    expect((await client.callTool('recall', { query: 'tea' })).structured).toEqual({ memories: [], not_asked: [] });
    await client.close();
  });

  it('offers the personas that there are when a client comes', async () => {
    const personas = ['persona-uozumi'];
    const factory = createBareChat('ann', personas);
    const names = async () => {
      const client = await connectInMemory(factory);
      const { prompts } = await client.listPrompts();
      await client.close();
      return prompts.map(({ name }) => name);
    };
    await names();
    personas.push('persona-marlow');
    expect(await names()).toEqual(['what_do_you_know_about_me', 'marlow', 'uozumi']);
  });

  it("refuses ids, cursors and projects that are not the caller's to name", async () => {
    const client = await connectInMemory(createBareChat(), { ...ann, projects: ['loom'] });
    expect(await client.codeOf('recall', { query: 'tea', project: 'other' })).toBe('forbidden');
    expect(await client.codeOf('remember', { text: 'tea', project: 'other' })).toBe('forbidden');
    expect(await client.codeOf('remember', { text: '<private>tea</private>' })).toBe('invalid');
    expect(await client.codeOf('forget', { id: 'project:other/mem_1' })).toBe('forbidden');
    expect(await client.codeOf('update_memory', { id: 'project:other/mem_1', text: 'x' })).toBe('forbidden');
    expect(await client.codeOf('forget', { id: 'mem_1' })).toBe('invalid');
    expect(await client.codeOf('list_memories', { cursor: 'nothing' })).toBe('invalid');
    await client.close();
  });

  it('has examples that its schemas take', () => {
    for (const { name, input, output, example } of memoryOperations) {
      expect([name, input.safeParse(example?.input).error]).toEqual([name, undefined]);
      expect([name, output.safeParse(example?.output).data]).toEqual([name, example?.output]);
    }
  });

  it('answers every operation, prompt and resource as the rights of its caller say', async () => {
    const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
    const report = await tryAuthorization({
      name: 'context-aggregator',
      operations: chatOperations,
      factory: createBareChat(undefined),
      api: createApi({ ...definition, routes: [], deps: undefined }),
      own: { user: 'ann', project: 'shop' },
    });
    expect(report.wrong).toEqual([]);
    expect(report.cells).toBeGreaterThan(200);
  });
});

describe('the server of the profile all', () => {
  const toNames = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

  it('has the operations of the other two profiles and those of the server; a call names its user, unless the key is for one', async () => {
    const { whole } = createBareServers('ann');
    const local = await connectInMemory(whole);
    const all = [...operations, ...memoryOperations, ...serverOperations];
    expect(toNames((await local.listTools()).tools)).toEqual(toNames(all));
    expect(await local.codeOf('recall', { query: 'tea' })).toBe('invalid');
    expect((await local.callTool('recall', { query: 'tea', user_id: 'bob' })).isError).toBe(false);
    const bound = await connectInMemory(whole, ann);
    expect(await bound.codeOf('recall', { query: 'tea', user_id: 'bob' })).toBe('forbidden');
    expect(await bound.codeOf('get_memory', { id: 'fact:city', user_id: 'bob' })).toBe('forbidden');
    expect(await bound.codeOf('get_memory', { id: 'fact:city' })).toBe('not_found');
    expect((await bound.callTool('recall', { query: 'tea' })).isError).toBe(false);
    await local.close();
    await bound.close();
  });
});

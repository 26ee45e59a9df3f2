import { localPrincipal, type Principal } from '@contextloom/access';
import { countTokens } from '@contextloom/llm';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { connectInMemory, findUnfitSchemas, tryAuthorization } from '@contextloom/testing';
import { describe, expect, it } from '@jest/globals';
import { createChatServers } from '../src/build-chat-server.ts';
import { createOperationDeps } from '../src/build-server.ts';
import { connectorOperations } from '../src/operations/index.ts';
import { createAggregatorProgram } from '../src/program.ts';

const ann: Principal = { ...localPrincipal, name: 'ann-key', users: ['ann'], scopes: ['read'] };

function createConnector() {
  const upstreams = createUpstreams({ servers: {}, log: silentLog, clientName: 'test', clientVersion: '0' });
  const toSettings = () => ({ deadlines: { sourceMs: 5_000, storeMs: 5_000 } });
  const deps = createOperationDeps({ upstreams, toSettings, log: silentLog });
  return createChatServers({ deps, toServers: () => [], zone: 'UTC', version: '0' }).connector;
}

describe('the profile connector', () => {
  it('has two tools that read, in the shape that ChatGPT asks for', async () => {
    const client = await connectInMemory(createConnector(), ann);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch']);
    expect(countTokens(JSON.stringify(tools))).toBeLessThan(600);
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect([findUnfitSchemas(inputSchema), findUnfitSchemas(outputSchema)]).toEqual([[], []]);
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
    const { structured, text } = await client.callTool('search', { query: 'tea' });
    expect([structured, JSON.parse(text)]).toEqual([{ results: [] }, { results: [] }]);
    expect(await client.codeOf('search', { query: 'tea', user_id: 'eve' })).toBe('forbidden');
    expect(await client.codeOf('fetch', { id: 'note:x', user_id: 'eve' })).toBe('forbidden');
    expect(await client.codeOf('fetch', { id: 'note:x' })).toBe('not_found');
    expect(await client.codeOf('fetch', { id: 'nothing' })).toBe('invalid');
    await client.close();
  });

  it('answers as the rights of its caller say', async () => {
    const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
    const report = await tryAuthorization({
      name: 'connector',
      operations: connectorOperations,
      factory: createConnector(),
      api: createApi({ ...definition, routes: [], deps: undefined }),
      own: { user: 'ann', project: 'shop' },
    });
    expect(report.wrong).toEqual([]);
  });
});

it.each([
  [{}, []],
  [{ AUTH_ISSUER: 'https://login.example.org', AUTH_AUDIENCE: 'x' }, []],
  [{ AUTH_ISSUER: 'self' }, [['failed', 'AUTH_ISSUER=self needs PUBLIC_URL']]],
  [{ AUTH_ISSUER: 'self', PUBLIC_URL: 'https://memory.example.org/' }, [['ok', 'at https://memory.example.org']]],
])('tells doctor of the authorization server: %j', async (env, expected) => {
  const { checks } = createAggregatorProgram('/server.js');
  const found = (await checks?.({ config: Object(undefined), flags: {}, env, log: silentLog })) ?? [];
  expect(found.map(({ status }) => status)).toEqual(expected.map(([status]) => status));
  for (const [at, [, words]] of expected.entries()) expect(found[at]?.detail).toContain(words);
});

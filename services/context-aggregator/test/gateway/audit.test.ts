import { type AuditEntry, toAuthInfo } from '@contextloom/access';
import { expect, it } from '@jest/globals';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { createTestGateway, only, startUpstream } from '../support/gateway.ts';

function createWiki(): Server {
  const server = new Server({ name: 'wiki', version: '1' }, { capabilities: { tools: {}, resources: {} } });
  const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Record<string, unknown>>> = {
    'tools/list': () => ({ tools: ['find', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: 'a page' }], isError: name === 'fail' }),
    'resources/list': () => ({ resources: [{ uri: 'page://secret', name: 'page' }] }),
    'resources/read': () => ({ contents: [] }),
  };
  server.fallbackRequestHandler = async ({ method, params }) => answers[method]?.(params ?? {}) ?? {};
  return server;
}

it('calls to other servers are written down: who, what, about whom, and how they ended', async () => {
  const upstream = await startUpstream(createWiki);
  const gateway = createTestGateway({ urls: { wiki: upstream.address } });
  const entries: AuditEntry[] = [];
  const audit = { write: (entry: AuditEntry) => void entries.push(entry), close: async () => undefined };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const authInfo = toAuthInfo(only('ann'), { audit });
  await (await gateway.factory({ era: 'legacy', authInfo })).connect(far);
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(near);

  await client.callTool({ name: 'wiki__find', arguments: { user_id: 'ann', words: 'private' } });
  await client.callTool({ name: 'wiki__fail', arguments: {} });
  await client.readResource({ uri: 'page://secret' });
  expect(entries.map(({ principal, ...entry }) => ({ who: principal.name, ...entry }))).toEqual([
    { who: 'ann', operation: 'tools/call wiki__find', subjects: ['ann'], outcome: 'ok' },
    { who: 'ann', operation: 'tools/call wiki__fail', subjects: [], outcome: 'tool_error' },
    { who: 'ann', operation: 'resources/read wiki', subjects: [], outcome: 'ok' },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/private|secret/);

  await client.close();
  await gateway.close();
  await upstream.close();
});

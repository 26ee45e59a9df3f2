import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '@contextloom/runtime';
import { createChanges, createMcpServer, defineResource } from '@contextloom/server-kit';
import { expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { startUpstream } from '../support/gateway.ts';

const program = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

it('a client of 2026-07-28 over stdio hears of the resources that it listens for, and of no others', async () => {
  const changes = createChanges({ log: silentLog });
  const page = defineResource({
    uri: 'page://{id}',
    name: 'page',
    title: 'A page',
    description: 'A page.',
    mimeType: 'text/plain',
    variables: z.object({ id: z.string() }),
    read: ({ id }) => ({ text: id }),
  });
  const pages = createMcpServer({ name: 'pages', version: '1', resources: [page], changes, deps: {}, log: silentLog });
  const upstream = await startUpstream(pages);
  const folder = await mkdtemp(join(tmpdir(), 'gateway-updates-'));
  const config = join(folder, 'mcp_config.json');
  await writeFile(config, JSON.stringify({ mcpServers: { pages: { url: upstream.address } } }));
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  const args = [program, '--config', config, '--profile', 'all'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));

  const asked = ['page://one', 'strange://one'];
  const { honoredFilter, close } = await client.listen({ resourceSubscriptions: asked });
  expect(honoredFilter).toEqual({ resourceSubscriptions: ['page://one'] });
  changes.resourceUpdated('page://two');
  changes.resourceUpdated('page://one');
  while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(heard).toEqual(['page://one']);
  await close();

  await client.close();
  await upstream.close();
  await rm(folder, { recursive: true });
});

import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Running, serverFile, serviceFile, start, untilListening } from '../support/children.ts';
import { makeFolder } from '../support/service.ts';

let dataDir: string;
let client: Client;
let service: Running | undefined;

beforeEach(async () => {
  dataDir = await makeFolder();
  client = new Client({ name: 'client-of-2025', version: '1' });
  service = undefined;
});
afterEach(async () => {
  await client.close();
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const connectStdio = (env: Record<string, string>) =>
  client.connect(
    new StdioClientTransport({ command: process.execPath, args: [serverFile], env, cwd: '/', stderr: 'ignore' }),
  );

async function startService(): Promise<string> {
  service = start(serviceFile, [], { KB_DATA_DIR: dataDir, KB_PORT: '0' });
  return untilListening(service);
}

async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

async function storeAndFind(): Promise<void> {
  const document = {
    content: '小红对花生过敏',
    tags: ['memory'],
    doc_id: 'allergy',
    metadata: { user_id: '小红', importance: 9 },
  };
  expect(await call('add_document', document)).toMatchObject({
    structuredContent: { success: true, document_id: 'allergy' },
  });
  const query = { query: '花生', tags: ['memory'], metadata_filter: { user_id: '小红' }, tags_any: null, top_k: 3 };
  const { structuredContent } = await call('search_documents', query);
  expect(structuredContent).toMatchObject({ results: [{ id: 'allergy', document: { content: document.content } }] });
  expect((await call('search_documents', { query: '花生' })).structuredContent).toMatchObject({ results: [] });
  expect(await call('get_document', { doc_id: 'allergy' })).toMatchObject({ isError: true });
}

describe('a client built on the 1.x SDK', () => {
  it('stores and finds over stdio with no service running', async () => {
    await connectStdio({ KB_DATA_DIR: dataDir });
    expect((await client.listTools()).tools).toHaveLength(14);
    await storeAndFind();
  });

  it('stores and finds over stdio through the HTTP service that KB_URL names', async () => {
    await connectStdio({ KB_URL: await startService(), KB_DATA_DIR: `${dataDir}/never-made` });
    await storeAndFind();
    const taken = { doc_id: 'allergy', content: 'x', metadata: { user_id: '小明' } };
    expect(await call('add_document', taken)).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('allergy') }],
    });
    await service?.stop();
    const down = await call('search_documents', { query: 'x' });
    expect(down).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('KB_URL') }] });
  });

  it('stores and finds over streamable HTTP at the service’s own /mcp', async () => {
    const url = await startService();
    // The 1.x transport declares its callbacks without `undefined`, which exactOptionalPropertyTypes tells apart.
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as Parameters<Client['connect']>[0]);
    await storeAndFind();
  });

  it('accepts answers with metadata of any depth, which it checks against the output schema', async () => {
    await connectStdio({ KB_DATA_DIR: dataDir });
    await client.listTools(); // From here on the 1.x client validates every structured answer.
    const metadata = { a: { b: { c: [1, { d: [[null]] }] } }, list: [{ e: 1 }, [2], 'x'], none: null };
    await call('add_document', { doc_id: 'deep', content: 'deep metadata', metadata });
    const shown = { id: 'deep', metadata };
    const filter = { $or: [{ none: null }, { $and: [{ list: { in: [1, null] } }] }] };
    for (const [tool, args, answer] of [
      ['get_document', { doc_id: 'deep' }, { document: shown }],
      ['update_document', { doc_id: 'deep', tags: ['t'] }, { document: shown }],
      ['search_documents', { query: 'deep' }, { results: [{ ...shown, document: shown }] }],
      ['search_documents', { query: 'deep', explain: true }, { results: [{ ...shown, document: shown, explain: {} }] }],
      ['search_documents', { query: '', explain: true }, { results: [{ ...shown, explain: { words: null } }] }],
      ['list_documents', { metadata_filter: filter }, { documents: [shown] }],
    ] as const) {
      expect(await call(tool, args)).toMatchObject({ structuredContent: answer });
    }
  });

  it('sees the server end when it closes its side', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [serverFile],
      env: { KB_DATA_DIR: dataDir },
    });
    await client.connect(transport);
    const { pid } = transport;
    await client.close();
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });
});

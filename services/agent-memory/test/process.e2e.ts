import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { checkEditing } from './editing.ts';
import { createFolder, type Folder } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

const server = fileURLToPath(new URL('../dist/server.js', import.meta.url));
let folder: Folder;
let client: Client;

const toEnvironment = () => ({
  ...(process.env as Record<string, string>),
  AGENT_MEMORY_WORKSPACE: folder.workspace,
  AGENT_MEMORY_DATA_DIR: `${folder.root}/data`,
  AGENT_MEMORY_TIMEZONE: 'Asia/Shanghai',
  LOG_LEVEL: 'error',
});
async function call(name: string, args: Record<string, unknown>) {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return structuredContent as { id?: string; items?: { entry: { id: string; content: string } }[] };
}
async function connect(): Promise<StdioClientTransport> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [server], env: toEnvironment() });
  client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  return transport;
}

beforeEach(() => {
  folder = createFolder();
  saveSeed(folder.save);
});
afterEach(async () => {
  await client?.close();
  folder.remove();
});

describe('the server as a process', () => {
  it('serves a client of the first SDK over stdio, and finds what a person saves within a second or so', async () => {
    await connect();
    expect((await call('search_entries', { query: '前端框架' })).items?.[0]?.entry.content).toBe(
      '用户决定使用 React 作为前端框架',
    );
    folder.save('memory/2026-02-20.md', '# 2026-02-20\n\n### 08:30 - 手动\n牙医改到三月三日\n');
    const search = async () => (await call('search_entries', { query: '牙医' })).items?.[0]?.entry.content;
    const deadline = Date.now() + 10_000;
    while ((await search()) !== '牙医改到三月三日' && Date.now() < deadline);
    expect(await search()).toBe('牙医改到三月三日');
  });

  it('tells a client of what a person saves in a file that it subscribed to, and of new logs', async () => {
    await connect();
    await call('list_entries', {});
    const uri = 'agent-memory://workspace/OWNER.md';
    const heard: string[] = [];
    const told = new Promise<void>((resolve) => {
      const hear = (what: string) => {
        heard.push(what);
        if (heard.includes(uri) && heard.includes('list')) resolve();
      };
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => hear(params.uri));
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => hear('list'));
    });
    await client.subscribeResource({ uri });
    folder.save('TOOLS.md', '# 工具定义\n');
    folder.save('OWNER.md', '# 用户画像\n\n## 基本信息\n- 姓名: 李四\n');
    folder.save('memory/2026-02-21.md', '# 2026-02-21\n');
    await told;
    expect(new Set(heard)).toEqual(new Set([uri, 'list']));
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ text: expect.stringContaining('李四') }]);
    const { resources } = await client.listResources();
    expect(resources.map((one) => one.uri)).toContain('agent-memory://workspace/memory/2026-02-21.md');
  });

  it('has what it acknowledged after it was killed', async () => {
    const transport = await connect();
    const { id } = await call('add_entry', { content: '被确认的记忆' });
    process.kill(transport.pid ?? 0, 'SIGKILL');
    await client.close();
    await connect();
    expect((await call('search_entries', { query: '被确认的记忆' })).items?.[0]?.entry.id).toBe(id);
  });

  it('ends when standard input does', async () => {
    const child = spawn(process.execPath, [server], { env: toEnvironment(), stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('a person and the agent in one file', () => {
  it('lose nothing of each other', () => checkEditing(10));
});

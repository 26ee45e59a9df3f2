import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createFolder, dump, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

const server = fileURLToPath(new URL('../dist/server.js', import.meta.url));

async function connect({ workspace, root }: Folder) {
  const env = {
    ...(process.env as Record<string, string>),
    AGENT_MEMORY_WORKSPACE: workspace,
    AGENT_MEMORY_DATA_DIR: `${root}/data`,
    LOG_LEVEL: 'silent',
  };
  const transport = new StdioClientTransport({ command: process.execPath, args: [server], env });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

/** What was acknowledged: contents by id, undefined for what was deleted. What was asked for last may be so or not. */
type Told = Map<string, { content: string | undefined; asked?: string | undefined; isOpen: boolean }>;

/** Adds, changes and deletes entries one after the other until the server is gone. */
async function write(client: Client, told: Told, round: number): Promise<void> {
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as { id: string };
  for (let n = 0; ; n += 1) {
    const content = `第 ${round} 轮 ${n}.`;
    const { id } = await call('add_entry', { content, long_term: n % 5 === 0 });
    const entry = { content: content as string | undefined, asked: undefined as string | undefined, isOpen: false };
    told.set(id, entry);
    if (n % 3 === 0) continue;
    const asked = n % 3 === 1 ? `${content} 改` : undefined;
    Object.assign(entry, { asked, isOpen: true });
    if (asked === undefined) await call('delete_entry', { id });
    else await call('update_entry', { id, content: asked });
    Object.assign(entry, { content: asked, isOpen: false });
  }
}

/** Kills a server that writes at a random moment, again and again on one workspace. */
export async function killServers(rounds: number): Promise<void> {
  const folder = createFolder();
  saveSeed(folder.save);
  const told: Told = new Map();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { client, pid } = await connect(folder);
      const enough = told.size + 5;
      const writing = write(client, told, round).catch(() => undefined); // It ends with the server.
      while (told.size < enough) await sleep(5);
      await sleep(Math.random() * 1_000);
      process.kill(pid, 'SIGKILL');
      await writing;
      await client.close();
    }
    const opened = await openTestMemory(folder);
    try {
      const found = new Map((await dump(opened.memory)).map(({ id, content }) => [id, content]));
      const wrong = [...told].filter(([id, { content, asked, isOpen }]) => {
        const now = found.get(id);
        return now !== content && !(isOpen && now === asked);
      });
      expect({ wrong, isAnyTold: told.size > rounds }).toEqual({ wrong: [], isAnyTold: true });
      const before = await dump(opened.memory);
      await opened.memory.rebuild();
      expect(await dump(opened.memory)).toEqual(before);
    } finally {
      await opened.memory.close();
    }
  } finally {
    folder.remove();
  }
}

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entryFile, startHttp } from './running-stack.ts';

/** Every server that keeps something, over one folder, and the command that works with them. */
interface Home {
  readonly cli: (...args: string[]) => Promise<{ readonly code: number; readonly stdout: string }>;
  readonly call: (server: string, tool: string, args: JsonObject) => Promise<JsonObject>;
  readonly files: () => Promise<string>;
}

let folder: string;
const closing: (() => Promise<void>)[] = [];

async function readAll(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

async function openHome(name: string): Promise<Home> {
  const data = join(folder, name);
  const config = join(folder, `${name}.json`);
  const env = { LOG_LEVEL: 'error', MCP_CONFIG: config, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, HOME: data };
  const node = (service: string, ...args: string[]) => ({
    command: process.execPath,
    args: [entryFile(service), ...args],
    env,
    cwd: folder,
  });
  const mcpServers = {
    'persona-marlow': node('persona', '--persona', 'marlow'),
    'knowledge-base': node('knowledge-base'),
    'memory-processor': node('memory-processor'),
    'personal-memory': node('personal-memory', '--multi-user'),
    'typed-memory': node('typed-memory'),
    'agent-mem': node('project-memory'),
  };
  await writeFile(config, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 200_000 } }));
  const { url, child } = await startHttp((port) => ({
    args: [entryFile('context-aggregator'), '--config', config, '--http', port],
    env,
  }));
  const upstreams = createUpstreams({
    servers: {
      app: { url: `${url}/mcp`, headers: {} },
      all: { url: `${url}/mcp/all`, headers: {} },
      // As a chat program starts it: with servers of its own over the same files.
      chat: node('context-aggregator', '--config', config, '--profile', 'chat', '--user', userOf('chat')),
    },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
  });
  closing.push(async () => {
    await upstreams.close();
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  return {
    cli: (...words) =>
      new Promise((done) => {
        const script = resolve(entryFile('cli'), '../../bin/contextloom.js');
        const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
        execFile(
          process.execPath,
          [script, ...(words[0] === 'import' ? ['--config', config] : ['--url', `${url}/mcp`]), ...words],
          options,
          (error, stdout, stderr) => {
            done({ code: typeof error?.code === 'number' ? error.code : 0, stdout: stdout + stderr });
          },
        );
      }),
    call: async (server, tool, args) => {
      const result = await upstreams.call(server, tool, args, { timeoutMs: 120_000 });
      if (result.kind !== 'ok') throw new Error(`${server} ${tool}: ${JSON.stringify(result)}`);
      return result.value.structured ?? {};
    },
    files: () => readAll(data),
  };
}

/** A word that each way stores in something of its own user. */
const WAYS = {
  chat: 'geesefeather',
  app: 'lanternmoth',
  remember: 'harbourbell',
  import: 'copperkettle',
  document: 'willowgate',
  event: 'saltmarshwalk',
  typed: 'thistledown',
  project: 'brasshinge',
} as const;
type Way = keyof typeof WAYS;
const ways = Object.keys(WAYS) as Way[];
/** Typed and project memory are of one user where there are no keys. */
const userOf = (way: Way): string => (way === 'typed' || way === 'project' ? 'default' : `user-of-${way}`);

async function storeBy(way: Way, { cli, call }: Home): Promise<void> {
  const [user_id, word] = [userOf(way), WAYS[way]];
  const said = `I found a ${word} near the pier.`;
  const ok = async (...words: string[]): Promise<void> => {
    const { code, stdout } = await cli(...words);
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  };
  const file = join(folder, `${way}.txt`);
  await writeFile(file, `[2024-03-05]\nAnn: ${said}\nMarlow: I see.\n`);
  const store: Record<Way, () => Promise<unknown>> = {
    chat: () => call('chat', 'remember', { text: said }),
    app: () =>
      call('app', 'store_conversation_memory', { user_id, conversation_history: `Ann: ${said}\nMarlow: I see.` }),
    remember: () => ok('remember', file, '--user', user_id),
    import: () => ok('import', file, '--user', user_id, '--yes'),
    document: () =>
      call('all', 'knowledge-base__add_document', {
        doc_id: 'd1',
        content: said,
        tags: ['memory'],
        metadata: { user_id },
      }),
    event: () =>
      call('all', 'personal-memory__add_event', {
        user_id,
        event_type: 'activity',
        description: said,
        timestamp: '2024-03-05',
      }),
    typed: () => call('all', 'typed-memory__memory_add', { user_id, content: said, memory_type: 'semantic' }),
    project: () =>
      call('all', 'agent-mem__mem_ingest_memory', {
        project_name: 'boats',
        content_type: 'insight',
        content: said,
      }),
  };
  await store[way]();
}

let home: Home;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-ways-'));
  home = await openHome('first');
  for (const way of ways) await storeBy(way, home);
}, 240_000);
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await rm(folder, { recursive: true, force: true });
});

describe('what came in by one way', () => {
  it('is counted by `users`, whichever way it came', async () => {
    const { stdout } = await home.cli('users', '--json');
    for (const way of ways) expect(stdout).toContain(userOf(way));
  });

  it.each(ways)('is listed by `memories`, or its server is named as not listed: %s', async (way) => {
    const { code, stdout } = await home.cli('memories', '--user', userOf(way), '--json');
    expect(code).toBe(0);
    const listed = JSON.parse(stdout) as { readonly not_listed?: readonly string[] };
    const server = { event: 'personal-memory', typed: 'typed-memory', project: 'project-memory' }[way as string];
    if (!stdout.includes(WAYS[way])) expect(JSON.stringify(listed.not_listed ?? [])).toContain(server);
  });

  it('comes back from a backup in another folder, and is exported there', async () => {
    expect((await home.cli('backup', join(folder, 'all.zip'))).code).toBe(0);
    const other = await openHome('second');
    expect((await other.cli('restore', join(folder, 'all.zip'))).code).toBe(0);
    for (const way of ways) {
      const file = join(folder, `${way}.zip`);
      expect((await other.cli('export', '--user', userOf(way), '--out', file)).code).toBe(0);
    }
    const files = await other.files();
    expect(ways.filter((way) => !files.includes(WAYS[way]))).toEqual([]);
  });

  it('is erased by `forget`: no byte of it is left, or the receipt names the server that was not asked', async () => {
    const receipts = new Map<string, string>();
    for (const user of new Set(ways.map(userOf))) {
      receipts.set(user, (await home.cli('forget', '--user', user, '--yes')).stdout);
    }
    const files = await home.files();
    const left = ways.filter((way) => files.includes(WAYS[way]));
    // The memories of projects belong to the owner of their server, whoever they tell of.
    expect(left).toEqual(['project']);
    expect(receipts.get(userOf('project'))).toContain('out of reach at agent-mem');
  });
});

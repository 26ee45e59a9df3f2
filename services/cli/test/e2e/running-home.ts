import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { entryFile, startHttp } from './running-stack.ts';

/** What a command said, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
}

/** The shipped composition over one data folder, with each of its doors. */
export interface RunningHome {
  /** The address of the aggregator, without a trailing slash. */
  readonly url: string;
  readonly folder: string;
  /** Runs a command at the running aggregator. */
  readonly cli: (...args: string[]) => Promise<Ended>;
  /** Runs a command over the composition on its own machine, with something on standard input. */
  readonly cliHere: (input: string, ...args: string[]) => Promise<Ended>;
  /** Calls a tool of the profiles `app` or `all` over HTTP, or of a chat program's own servers. */
  readonly call: (server: 'app' | 'all' | 'chat', tool: string, args: JsonObject) => Promise<JsonObject>;
  /** Starts another program over the same files; answers its address. */
  readonly start: (service: string, ...args: string[]) => Promise<string>;
  /** Starts the proxy before a provider that answers anything with one sentence; answers its address. */
  readonly startProxy: () => Promise<string>;
  /** The files of the data folder in which bytes of one of the words stand. */
  readonly filesWith: (words: readonly string[]) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

async function findFiles(path: string, words: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = files.map(async (file) => {
    const bytes = await readFile(file);
    return words.some((word) => bytes.includes(word)) ? [file] : [];
  });
  return (await Promise.all(found)).flat();
}

const ANSWER = { choices: [{ message: { role: 'assistant', content: 'I see.' } }] };

/** A provider that answers every request with the same sentence. */
async function startProvider(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address()) as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Starts it below `folder`, as `mcp_config.json` of the repository says.
 * @param chatUser whose memory the chat program's servers are bound to
 */
export async function startHome(folder: string, name: string, chatUser: string): Promise<RunningHome> {
  const data = join(folder, name);
  const config = join(folder, `${name}.json`);
  const env = { LOG_LEVEL: 'error', MCP_CONFIG: config, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, HOME: data };
  const root = resolve(entryFile('cli'), '../../../..');
  const shipped = JSON.parse(await readFile(join(root, 'mcp_config.json'), 'utf8')) as {
    readonly mcpServers: Readonly<Record<string, { readonly args: readonly [string, ...string[]] }>>;
  };
  const mcpServers = Object.fromEntries(
    Object.entries(shipped.mcpServers)
      .filter(([server]) => !['context-aggregator', 'persona-uozumi'].includes(server))
      .map(([server, { args }]) => {
        const [script, ...rest] = args;
        return [server, { command: process.execPath, args: [join(root, script), ...rest], env, cwd: folder }];
      }),
  );
  await writeFile(config, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 200_000 } }));
  const closing: (() => Promise<unknown>)[] = [];
  const start = async (service: string, ...args: string[]): Promise<string> => {
    const { url, child } = await startHttp((port) => ({ args: [entryFile(service), ...args, '--http', port], env }));
    closing.unshift(async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    });
    return url;
  };
  const url = await start('context-aggregator', '--config', config);
  const chat = ['--config', config, '--profile', 'chat', '--user', chatUser];
  const upstreams = createUpstreams({
    servers: {
      app: { url: `${url}/mcp`, headers: {} },
      all: { url: `${url}/mcp/all`, headers: {} },
      chat: { command: process.execPath, args: [entryFile('context-aggregator'), ...chat], env, cwd: folder },
    },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
  });
  closing.unshift(() => upstreams.close());
  const script = join(root, 'services/cli/bin/contextloom.js');
  const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
  const run = (words: readonly string[], input = ''): Promise<Ended> =>
    new Promise((done) => {
      const child = execFile(process.execPath, [script, ...words], options, (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout: stdout + stderr });
      });
      child.stdin?.end(input);
    });
  return {
    url,
    folder,
    cli: (...words) => run(['--url', `${url}/mcp`, ...words]),
    cliHere: (input, ...words) => run(['--config', config, ...words], input),
    call: async (server, tool, args) => {
      const result = await upstreams.call(server, tool, args, { timeoutMs: 120_000 });
      if (result.kind !== 'ok') throw new Error(`${server} ${tool}: ${JSON.stringify(result)}`);
      return result.value.structured ?? {};
    },
    start,
    startProxy: async () => {
      const provider = await startProvider();
      const args = ['proxy', '--provider', provider.url, '--aggregator', `${url}/mcp`, '--port', '0'];
      const child = spawn(process.execPath, [script, ...args], {
        ...options,
        env: { ...options.env, LOG_LEVEL: 'info' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      closing.unshift(async () => {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
        await provider.close();
      });
      for await (const line of createInterface({ input: child.stderr })) {
        const found = /"url":"(http:[^"]+)"/.exec(line)?.[1];
        if (found === undefined) continue;
        child.stderr.resume();
        return found;
      }
      throw new Error('the proxy ended');
    },
    filesWith: (words) => findFiles(data, words),
    close: async () => {
      for (const end of closing) await end();
    },
  };
}

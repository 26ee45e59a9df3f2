import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { callTool } from '../../src/calls/call-tool.ts';

const entryFile = (service: string): string =>
  fileURLToPath(new URL(`../../../${service}/dist/server.js`, import.meta.url));

/** The product over HTTP with real stores, in processes of its own. */
export interface RunningStack {
  /** Without a trailing slash. */
  readonly url: string;
  readonly keysFile: string;
  /** Calls a tool as the page does. */
  readonly call: (name: string, args: object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** How a stack differs from the usual one. */
interface StackOptions {
  /** Of personal-memory, which serves all users otherwise. */
  readonly personalArgs?: readonly string[];
  /** Environment of the memory processor, such as a model. */
  readonly processorEnv?: Readonly<Record<string, string>>;
}

async function writeComposition(
  folder: string,
  { personalArgs = ['--multi-user'], processorEnv = {} }: StackOptions,
): Promise<string> {
  const node = (service: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [entryFile(service), ...args],
    env: { LOG_LEVEL: 'error' },
  });
  const processor = node('memory-processor');
  const file = join(folder, 'mcp_config.json');
  const mcpServers = {
    'persona-marlow': node('persona', '--persona', 'marlow'),
    'knowledge-base': node('knowledge-base'),
    'memory-processor': { ...processor, env: { ...processor.env, ...processorEnv } },
    'personal-memory': node('personal-memory', ...personalArgs),
  };
  await writeFile(file, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 60_000 } }));
  return file;
}

/** Starts the aggregator and its servers on a temporary folder. */
export async function startStack(options: StackOptions = {}): Promise<RunningStack> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-console-'));
  const config = await writeComposition(folder, options);
  const keysFile = join(folder, 'keys.json');
  const data = {
    XDG_DATA_HOME: folder,
    KB_DATA_DIR: join(folder, 'kb'),
    PERSONAL_MEMORY_DATA_DIR: join(folder, 'me'),
    MEMORY_PROCESSOR_DATA_DIR: join(folder, 'mp'),
  };
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [entryFile('context-aggregator'), '--config', config, '--http', '0'], {
    env: { PATH, HOME, ...data, MCP_CONFIG: config, CONTEXTLOOM_KEYS_FILE: keysFile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const endpoint = await new Promise<string>((resolve, reject) => {
    void ended.then(([code]) => reject(new Error(`the aggregator ended with ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { url } = JSON.parse(line) as { readonly url?: string };
      if (url !== undefined) resolve(url);
    });
  });
  const url = new URL(endpoint).origin;
  return {
    url,
    keysFile,
    call: (name, args) => callTool(name, args, { origin: url }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

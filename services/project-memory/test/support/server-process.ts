import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const script = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** The first start makes a database, which takes longer than the SDK waits where the machine is busy; in milliseconds. */
const PATIENT = { timeout: 240_000 };

/** A client of the first SDK, and the server that it started. */
export interface StdioMemory {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire brings
  readonly call: (tool: string, args: Record<string, unknown>) => Promise<any>;
  readonly refusal: (tool: string, args: Record<string, unknown>) => Promise<string>;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

/** Starts the server over stdio on a folder of its own. */
export async function startOverStdio(dataDir: string, env: Record<string, string> = {}): Promise<StdioMemory> {
  const client = new Client({ name: 'v1', version: '0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script],
    env: { PROJECT_MEMORY_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env },
    stderr: 'ignore',
  });
  await client.connect(transport, PATIENT);
  const ask = async (name: string, args: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await client.callTool(
      { name, arguments: args },
      undefined,
      PATIENT,
    );
    return { isError: isError === true, text: (content as { text: string }[])[0]?.text ?? '', structuredContent };
  };
  return {
    call: async (name, args) => {
      const { isError, text, structuredContent } = await ask(name, args);
      if (isError) throw new Error(text);
      return structuredContent;
    },
    refusal: async (name, args) => {
      const { isError, text } = await ask(name, args);
      if (!isError) throw new Error(`${name} was not refused`);
      return text;
    },
    pid: transport.pid ?? 0,
    close: () => client.close(),
  };
}

/** Runs the server with a flag that makes it end, and answers what it prints. */
export async function runServer(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    texts.stdout += data;
  });
  child.stderr.on('data', (data) => {
    texts.stderr += data;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

/** The server over HTTP on a free port. */
export interface HttpMemory {
  readonly url: string;
  readonly child: ChildProcess;
  readonly close: () => Promise<void>;
}

/** Starts the server over HTTP on a folder, or whatever the environment names, and waits until it listens. */
export async function startOverHttp(env: Record<string, string>): Promise<HttpMemory> {
  const child = spawn(process.execPath, [script, '--http', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((resolve, reject) => {
    let log = '';
    child.stderr.on('data', (data) => {
      log += data;
      const address = /"url":"(http:[^"]+)\/mcp"/.exec(log)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(log)));
  });
  return {
    url,
    child,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

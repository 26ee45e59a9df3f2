import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const server = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** Runs the server to its end, with nothing on its standard input. */
export async function runServer(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [server, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** A server over stdio, and its client. */
export async function startServer(
  args: readonly string[],
  env: Record<string, string>,
  { maxFileKib }: { readonly maxFileKib?: number } = {},
) {
  // `ulimit -f` counts in blocks of 512 bytes.
  const limit = maxFileKib === undefined ? '' : `ulimit -f ${2 * maxFileKib}; `;
  const command = limit === '' ? process.execPath : 'sh';
  const shellArgs = limit === '' ? [] : ['-c', `${limit}exec "$0" "$@"`, process.execPath];
  const client = new Client({ name: 'v1', version: '0' });
  const transport = new StdioClientTransport({
    command,
    args: [...shellArgs, server, ...args],
    env: { LOG_LEVEL: 'silent', ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (data) => {
    stderr += data;
  });
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    /** The data of an answer. @throws Error with its text when the call failed */
    ask: async (name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      if (isError) throw new Error((content as { text: string }[])[0]?.text);
      return structuredContent as Record<string, unknown>;
    },
    close: () => client.close(),
  };
}
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

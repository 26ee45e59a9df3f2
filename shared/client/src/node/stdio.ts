import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { StdioOptions } from '../options.ts';

/** Prepares transports to an aggregator that each of them starts; nothing runs yet. */
export function toStdio({ command, args = [], env, cwd, stderr = 'ignore' }: StdioOptions): () => Transport {
  return () =>
    new StdioClientTransport({
      command,
      args: [...args],
      stderr,
      ...(env !== undefined && { env: { ...env } }),
      ...(cwd !== undefined && { cwd }),
    });
}

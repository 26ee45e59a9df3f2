import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { StdioServerEntry } from './config.ts';

/** The environment that a server is started with: what every program needs of this process's own, and what its entry says. */
export function toServerEnvironment({ env }: Pick<StdioServerEntry, 'env'>): Record<string, string> {
  return { ...getDefaultEnvironment(), ...env };
}

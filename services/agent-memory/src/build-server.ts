import type { Log } from '@contextloom/runtime';
import { type Changes, createMcpServer, type ServerFactory } from '@contextloom/server-kit';
import { LONG_TERM_FILE } from './domain/model/files.ts';
import type { OwnedMemory } from './domain/user-store.ts';
import { toDeps } from './operations/deps.ts';
import { operations } from './operations/index.ts';
import { resources, toUri } from './resources.ts';

/** What the MCP server is built from. */
export interface AgentMemoryServerOptions extends OwnedMemory {
  /** Tells of files that changed. */
  readonly changes: Changes;
  /** Whether every call is of a session that others see. */
  readonly isShared: boolean;
  readonly version: string;
  readonly log: Log;
}

/** Builds the MCP server over an agent memory; the caller that opened the memory closes it. */
export function createAgentMemoryServer({
  changes,
  isShared,
  version,
  log,
  ...owned
}: AgentMemoryServerOptions): ServerFactory {
  return createMcpServer({
    name: 'agent-memory',
    version,
    instructions:
      'A memory in Markdown files that people read and edit too. Call load_context at the beginning of a conversation, search_entries when something may be known from before, add_entry for what is worth keeping.',
    operations,
    resources: isShared ? resources.filter(({ uri }) => uri !== toUri(LONG_TERM_FILE)) : resources,
    changes,
    ...(isShared && { bound: { session: 'shared' } }),
    deps: toDeps(owned),
    log,
  });
}

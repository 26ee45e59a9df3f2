import { type Changes, createMcpServer, type Log, type ServerFactory } from '@contextloom/mcp-kit';
import type { AgentMemory } from './domain/agent-memory.ts';
import { LONG_TERM_FILE } from './domain/files.ts';
import { resources, toUri } from './resources.ts';
import { tools } from './tools/index.ts';

/** What the MCP server is built from. */
export interface AgentMemoryServerOptions {
  readonly memory: AgentMemory;
  /** Tells of files that changed. */
  readonly changes: Changes;
  /** Whether every call is of a session that others see. */
  readonly isShared: boolean;
  readonly version: string;
  readonly log: Log;
}

/** Builds the MCP server over an agent memory; whoever opened the memory closes it. */
export function createAgentMemoryServer({
  memory,
  changes,
  isShared,
  version,
  log,
}: AgentMemoryServerOptions): ServerFactory {
  return createMcpServer({
    name: 'agent-memory',
    version,
    instructions:
      'A memory in Markdown files that people read and edit too. Call load_context at the beginning of a conversation, search_entries when something may be known from before, add_entry for what is worth keeping.',
    tools,
    resources: isShared ? resources.filter(({ uri }) => uri !== toUri(LONG_TERM_FILE)) : resources,
    changes,
    ...(isShared && { bound: { session: 'shared' } }),
    deps: { memory },
    log,
  });
}

import type { Log } from '@contextloom/runtime';
import { type Changes, createMcpServer, type ServerFactory } from '@contextloom/server-kit';
import { LONG_TERM_FILE } from './domain/model/files.ts';
import type { OwnedMemory } from './domain/user-store.ts';
import { toDeps } from './operations/deps.ts';
import { operations, operationsOfUsers } from './operations/index.ts';
import type { WorkspacesDeps } from './operations/of-users.ts';
import { resources, toResourceOfUsers, toUri } from './resources.ts';

/** What a server is built from, whosever its memory is. */
interface ServerOptions {
  /** Tells of files that changed. */
  readonly changes: Changes;
  /** Whether every call is of a session that others see. */
  readonly isShared: boolean;
  readonly version: string;
  readonly log: Log;
}

/** What the MCP server over one workspace is built from. */
export type AgentMemoryServerOptions = ServerOptions & OwnedMemory;

const INSTRUCTIONS =
  'A memory in Markdown files that people read and edit too. Call load_context at the beginning of a conversation, search_entries when something may be known from before, add_entry for what is worth keeping.';

const toServed = (isShared: boolean) =>
  isShared ? resources.filter(({ uri }) => uri !== toUri(LONG_TERM_FILE)) : resources;

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
    instructions: INSTRUCTIONS,
    operations,
    resources: toServed(isShared),
    changes,
    ...(isShared && { bound: { session: 'shared' } }),
    deps: toDeps(owned),
    log,
  });
}

/** Builds the MCP server over the workspaces of all users; the caller that opened them closes them. */
export function createAgentMemoryServerOfUsers({
  workspaces,
  changes,
  isShared,
  version,
  log,
}: ServerOptions & WorkspacesDeps): ServerFactory {
  return createMcpServer({
    name: 'agent-memory',
    version,
    instructions: INSTRUCTIONS,
    operations: operationsOfUsers,
    resources: toServed(isShared).map(toResourceOfUsers),
    changes,
    ...(isShared && { bound: { session: 'shared' } }),
    deps: { workspaces },
    log,
  });
}

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { countTokens, createLexicalEmbedder, type Embedder } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { createChanges } from '@contextloom/server-kit';
import { type AgentMemory, type AgentMemoryOptions, createAgentMemory } from '../../src/domain/agent-memory.ts';
import { createZoneCalendar } from '../../src/open-agent-memory.ts';
import { toFileEvents } from '../../src/resources.ts';
import { openFolderWorkspace } from '../../src/store/files/folder-workspace.ts';
import { openRenewableEntryIndex } from '../../src/store/sqlite/renewable-entry-index.ts';

/** Noon of the seed's day in UTC; 20:00 in Shanghai. */
export const NOW = '2026-02-14T12:00:00.000Z';
export const DAY = 'memory/2026-02-14.md';

/** A folder that is gone after the test. */
export function createFolder() {
  const root = mkdtempSync(join(tmpdir(), 'contextloom-agent-memory-'));
  const workspace = join(root, 'workspace');
  mkdirSync(join(workspace, 'memory'), { recursive: true });
  return {
    root,
    workspace,
    index: join(root, 'data', 'index.sqlite'),
    read: (path: string): string => readFileSync(join(workspace, path), 'utf8'),
    tryRead: (path: string): string | undefined =>
      existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), 'utf8') : undefined,
    /** A person's save. */
    save: (path: string, text: string): void => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    },
    remove: (): void => rmSync(root, { recursive: true, force: true }),
  };
}
export type Folder = ReturnType<typeof createFolder>;

/** Opens a memory over a folder, without a watcher: a test says when a file changed. */
export async function openTestMemory(
  folder: Folder,
  options: Partial<AgentMemoryOptions> & {
    readonly isReadOnly?: boolean;
    readonly now?: string;
    readonly fileClock?: () => Date;
    readonly embedder?: Embedder;
  } = {},
) {
  const {
    isReadOnly = false,
    now = NOW,
    fileClock = () => new Date(),
    embedder = createLexicalEmbedder(),
    ...rest
  } = options;
  const problems: string[] = [];
  const changes = createChanges({ log: silentLog });
  const workspace = openFolderWorkspace({
    folder: folder.workspace,
    isReadOnly,
    newId: randomUUID,
    clock: fileClock,
  });
  const index = await openRenewableEntryIndex({
    file: folder.index,
    embedder,
    origin: 'test',
    clock: fileClock,
    log: silentLog,
  });
  const memory: AgentMemory = createAgentMemory({
    workspace,
    index,
    calendar: createZoneCalendar('UTC'),
    language: 'zh',
    clock: () => new Date(now),
    newId: randomUUID,
    countTokens,
    isShared: false,
    summarize: undefined,
    ...toFileEvents(changes),
    onProblem: (path, cause) => void problems.push(`${path}: ${String(cause)}`),
    ...rest,
  });
  return { memory, index, workspace, changes, problems };
}

/** All entries of a memory as they are told, sorted. */
export async function dump(memory: AgentMemory) {
  const { items } = await memory.list({ limit: 10_000, offset: 0, session: 'owner' });
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}

import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { countTokens, openChatModel, openEmbedder } from '@contextloom/llm';
import { type Changes, createChanges, type Log, type SettingValues } from '@contextloom/mcp-kit';
import type { agentMemorySettings } from './config.ts';
import { type AgentMemory, createAgentMemory } from './domain/agent-memory.ts';
import { createModelSummary } from './prompts/summary.ts';
import { toUri } from './resources.ts';
import { openFolderWorkspace } from './store/folder-workspace.ts';
import { openSqliteEntryIndex } from './store/sqlite-entry-index.ts';
import { watchWorkspace } from './store/watch-workspace.ts';
import { createZoneCalendar } from './store/zone-calendar.ts';

/** What a memory is opened with. */
export interface OpenMemoryOptions extends SettingValues<typeof agentMemorySettings> {
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

/** A memory that follows its files. */
export interface OpenedMemory {
  readonly memory: AgentMemory;
  readonly changes: Changes;
  readonly close: () => Promise<void>;
}

/** Each workspace has an index of its own: one folder of data serves several. */
export function toIndexFile(dataDir: string, workspace: string): string {
  const name = createHash('sha256').update(resolve(workspace)).digest('hex').slice(0, 16);
  return join(dataDir, `index-${name}.sqlite`);
}

/**
 * Opens the workspace and its index, and watches the files from then on.
 * @throws ContextloomError `unavailable`, `no_space`, `invalid`
 */
export async function openMemory(options: OpenMemoryOptions): Promise<OpenedMemory> {
  const { workspace: folder, timezone, language, session, clock, newId, log } = options;
  const model = await openChatModel(options);
  const embedder = await openEmbedder(options);
  const workspace = openFolderWorkspace({
    folder,
    isReadOnly: options.readOnly,
    newId,
    clock,
    onKept: (file) =>
      log.warn({ file }, 'a write that was cut off had put this text aside, and another is in its place'),
  });
  const file = toIndexFile(options.dataDir, folder);
  const index = await openSqliteEntryIndex({ file, embedder, origin: JSON.stringify([timezone]), log });
  const changes = createChanges({ log });
  const onProblem = (path: string, cause: unknown): void =>
    log.warn({ path, cause }, 'a file of the workspace could not be read, written or indexed');
  const memory = createAgentMemory({
    workspace,
    index,
    calendar: createZoneCalendar(timezone),
    language,
    clock,
    newId,
    countTokens,
    userId: options.userId,
    isShared: session === 'shared',
    summarize: model && createModelSummary(model),
    onChanged: (path) => changes.resourceUpdated(toUri(path)),
    onListChanged: () => changes.resourcesChanged(),
    onProblem,
  });
  const watcher = watchWorkspace({
    folder: resolve(folder),
    onChange: (path) => {
      memory.noteChange(path).catch((cause: unknown) => onProblem(path, cause));
    },
    onUnknown: () => {
      memory.sync().catch((cause: unknown) => onProblem('the workspace', cause));
    },
    onError: (cause) => log.warn({ cause }, 'the workspace cannot be watched'),
  });
  return {
    memory,
    changes,
    close: async () => {
      watcher.close();
      await memory.close();
    },
  };
}

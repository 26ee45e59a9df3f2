import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Forgotten, StoreUpkeep } from '@contextloom/contracts';
import {
  type ChatModel,
  countTokens,
  type Embedder,
  openChatModel,
  openEmbedder,
  startEmbeddingWaiting,
} from '@contextloom/llm';
import type { Log, SettingValues } from '@contextloom/runtime';
import { startErasing } from '@contextloom/runtime/scheduling';
import { toFileUpkeep } from '@contextloom/sqlite';
import { DateTime } from 'luxon';
import type { agentMemorySettings } from './config.ts';
import { type AgentMemory, type AgentMemoryOptions, createAgentMemory } from './domain/agent-memory.ts';
import type { Calendar, FileEvents } from './domain/ports/memory-ports.ts';
import { createModelSummary } from './prompts/summary.ts';
import { openFolderWorkspace } from './store/files/folder-workspace.ts';
import { watchWorkspace } from './store/files/watch-workspace.ts';
import { forgetWorkspace } from './store/forget-workspace.ts';
import { openRenewableEntryIndex } from './store/sqlite/renewable-entry-index.ts';
import { migrations } from './store/sqlite/schema.ts';

/** Builds the calendar of a time zone, such as `Asia/Shanghai`. */
export function createZoneCalendar(zone: string): Calendar {
  return {
    toLocal: (time) => {
      const local = DateTime.fromJSDate(time, { zone });
      return { date: local.toFormat('yyyy-MM-dd'), time: local.toFormat('HH:mm') };
    },
    // An hour that the clocks skip is read as the one after it.
    toInstant: (date, time = '00:00') => DateTime.fromISO(`${date}T${time}`, { zone }).toJSDate().toISOString(),
    daysBefore: (date, days) => DateTime.fromISO(date, { zone: 'utc' }).minus({ days }).toFormat('yyyy-MM-dd'),
  };
}

/** What a memory is opened with. */
export interface OpenAgentMemoryOptions extends SettingValues<typeof agentMemorySettings> {
  /** Changes are not reported without it. */
  readonly events?: FileEvents | undefined;
  /** Those that are open already, where several workspaces share them; opened by the settings without it. */
  readonly models?: { readonly model: ChatModel | undefined; readonly embedder: Embedder };
  /** After how long an entry is forgotten that does not say when. */
  readonly toLifetime?: AgentMemoryOptions['toLifetime'];
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** How often entries without a vector are looked for, in milliseconds; a minute by default. */
  readonly embedWaitingEveryMs?: number;
  /** How often what has ended or was deleted is erased, in milliseconds, and when first; ten minutes and five seconds by default. */
  readonly erasing?: { readonly everyMs: number; readonly firstMs: number };
}

/** A memory that follows its files. */
export interface OpenedMemory {
  readonly memory: AgentMemory;
  /** Counts what the workspace has of its user, and erases it unless it is a dry run. */
  readonly forgetOwner: (isDryRun: boolean) => Promise<Forgotten>;
  /** Takes what has ended out of files and index, with its bytes; answers whether there were any to erase. */
  readonly forgetEnded: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** A machine that slept through midnight looks at its calendar again so many milliseconds after it wakes, at most. */
const DAY_CHECK_MS = 5 * 60_000;

/** Has the summaries of days written soon after they end. */
export function watchDays(memory: Pick<AgentMemory, 'endDays'>, onError: (cause: unknown) => void): { close(): void } {
  const ending = new AbortController();
  let isRunning = false;
  const check = (): void => {
    if (isRunning) return;
    isRunning = true;
    const end = (): void => {
      isRunning = false;
    };
    memory.endDays(ending.signal).catch(onError).finally(end);
  };
  const timer = setInterval(check, DAY_CHECK_MS);
  timer.unref();
  check();
  return {
    close: () => {
      clearInterval(timer);
      ending.abort();
    },
  };
}

/** Each workspace has an index of its own: one folder of data serves several. */
export function toIndexFile(dataDir: string, workspace: string): string {
  const name = createHash('sha256').update(resolve(workspace)).digest('hex').slice(0, 16);
  return join(dataDir, `index-${name}.sqlite`);
}

/** The upkeep of the indexes of a folder of data; the files that they are made from have no schema. */
export function toUpkeep({ dataDir }: Pick<OpenAgentMemoryOptions, 'dataDir'>): StoreUpkeep {
  const isIndex = (name: string): boolean => /^index-[0-9a-f]+\.sqlite$/.test(name);
  const list = () =>
    (existsSync(dataDir) ? readdirSync(dataDir) : []).filter(isIndex).map((name) => join(dataDir, name));
  return toFileUpkeep({ store: 'index of files', where: dataDir, list, migrations });
}

/**
 * Opens the workspace and its index, and watches the files from then on.
 * @throws ContextloomError `unavailable`, `no_space`, `invalid`
 */
export async function openAgentMemory(options: OpenAgentMemoryOptions): Promise<OpenedMemory> {
  const { workspace: folder, timezone, language, session, clock, newId, log } = options;
  const { events = { onChanged: () => undefined, onListChanged: () => undefined } } = options;
  const { model, embedder } = options.models ?? {
    model: await openChatModel(options),
    embedder: await openEmbedder(options),
  };
  const workspace = openFolderWorkspace({
    folder,
    isReadOnly: options.readOnly,
    newId,
    clock,
    onKept: (file) =>
      log.warn({ file }, 'a write that was cut off had put this text aside, and another is in its place'),
  });
  const file = toIndexFile(options.dataDir, folder);
  const index = await openRenewableEntryIndex({ file, embedder, origin: JSON.stringify([timezone]), clock, log });
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
    toLifetime: options.toLifetime,
    ...events,
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
  const isDaily = options.summaries === 'daily' && !options.readOnly;
  const days = isDaily ? watchDays(memory, (cause) => onProblem('the summaries of days', cause)) : undefined;
  const endEmbedding = startEmbeddingWaiting({
    embedWaiting: memory.embedWaiting,
    log,
    intervalMs: options.embedWaitingEveryMs,
  });
  const forgetEnded = async (): Promise<boolean> => {
    await memory.forgetEnded();
    return index.eraseRemoved();
  };
  const endErasing = startErasing(forgetEnded, log, options.erasing);
  const forgotten = {
    folder: resolve(folder),
    isReadOnly: options.readOnly,
    indexFile: file,
    countEntries: () => index.count(),
    sync: () => memory.sync(),
  };
  return {
    memory,
    forgetEnded,
    forgetOwner: (isDryRun) => forgetWorkspace(forgotten, isDryRun),
    close: async () => {
      days?.close();
      watcher.close();
      await Promise.all([endEmbedding(), endErasing()]);
      await memory.close();
    },
  };
}

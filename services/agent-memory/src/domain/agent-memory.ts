import {
  type ContextOptions,
  type ContextRequest,
  createContextBuilder,
  type LoadedContext,
} from './context/context.ts';
import { type AddRequest, createEntries, type EntriesOptions, type Session, type UpdateRequest } from './entries.ts';
import { type DailyLog, LONG_TERM_FILE, type MemoryEntry, toDailyFile } from './entry.ts';
import type { EntryHit, EntryPage, EntrySelection, Fusion } from './entry-index.ts';
import { createIdentity, type IdentityFiles } from './identity/identity.ts';
import { createLocks } from './locks.ts';
import { type ArchiveReport, type ArchiveRequest, createArchive } from './maintenance/archive.ts';
import { createSummaries, type DailySummary, type Summarize } from './maintenance/summary.ts';
import { createReadiness } from './readiness.ts';
import { createSync, type SyncReport } from './sync.ts';
import { createTold } from './told.ts';

/** What an agent memory is made of. */
export interface AgentMemoryOptions
  extends Omit<EntriesOptions, 'locks' | 'sync' | 'told'>,
    Pick<ContextOptions, 'countTokens'> {
  /** Told of a file that could not be read, written or indexed. */
  readonly onProblem: (path: string, cause: unknown) => void;
  /** Told of each file that is another now, or is gone. */
  readonly onChanged: (path: string) => void;
  /** Told when there are other files than before. */
  readonly onListChanged: () => void;
  /** Every caller is a session that others see. */
  readonly isShared: boolean;
  /** How long a call waits for an index that is being made, in milliseconds. */
  readonly patienceMs?: number;
  /** Makes the summary of a day; by rules when absent, or when it cannot. */
  readonly summarize: Summarize | undefined;
}

/** A selection of entries as callers make it. */
export interface ListRequest extends Omit<EntrySelection, 'withoutLongTerm'> {
  readonly limit: number;
  readonly offset: number;
  readonly session: Session;
}

/** A search as callers ask for it. */
export interface SearchRequest extends Omit<EntrySelection, 'withoutLongTerm'> {
  readonly query: string;
  readonly limit: number;
  readonly fusion: Fusion;
  readonly session: Session;
}

/** What is found for a query, best first. */
export interface SearchAnswer {
  readonly items: readonly EntryHit[];
  readonly query: string;
  readonly total: number;
}

/** A workspace as a memory: every answer is from the files as they are, or from the index once it has followed them. */
export interface AgentMemory {
  readonly identity: IdentityFiles;
  add(request: AddRequest): Promise<MemoryEntry>;
  get(id: string, session: Session): Promise<MemoryEntry>;
  list(request: ListRequest): Promise<EntryPage>;
  update(id: string, request: UpdateRequest): Promise<MemoryEntry>;
  delete(id: string, session: Session): Promise<void>;
  search(request: SearchRequest): Promise<SearchAnswer>;
  similar(id: string, limit: number, session: Session): Promise<SearchAnswer>;
  daily(date: string): Promise<DailyLog>;
  loadContext(request: ContextRequest): Promise<LoadedContext>;
  summarizeDay(date: string | undefined, signal: AbortSignal): Promise<DailySummary>;
  archive(request: ArchiveRequest): Promise<ArchiveReport>;
  /** The text of a file; empty when there is none. */
  readFile(path: string, session: Session): Promise<string | undefined>;
  /** The files there are. */
  listFiles(): Promise<readonly string[]>;
  /** Looks at every file again. */
  sync(): Promise<SyncReport>;
  /** Makes the whole index again from the files. */
  rebuild(): Promise<SyncReport & { readonly entries: number }>;
  /** Brings a file that somebody changed into the index. */
  noteChange(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Builds an agent memory, and begins to bring the index up to date: what needs it waits. */
export function createAgentMemory({ isShared, summarize, patienceMs, ...options }: AgentMemoryOptions): AgentMemory {
  const { workspace, index, calendar } = options;
  const locks = createLocks();
  const sync = createSync({ ...options, locks, onBehind: () => readiness.later(followAll) });
  const told = createTold();
  const entries = createEntries({ ...options, locks, sync, told });
  const loadContext = createContextBuilder(options);
  const ending = new AbortController();
  const readiness = createReadiness({ progress: sync.progress, patienceMs });
  const ready = readiness.wait;
  const settled = () => readiness.settled().catch(() => undefined); // What failed was told.
  const followAll = () => sync.all({ signal: ending.signal });
  const followFirst = () => workspace.recover().then(followAll);
  readiness.until(followFirst).catch((error: unknown) => options.onProblem('the workspace', error));
  const toSession = (session: Session): Session => (isShared ? 'shared' : session);

  const tell = (entry: MemoryEntry): MemoryEntry => {
    told.note([entry]);
    return entry;
  };

  async function search({ session, ...request }: SearchRequest & { readonly except?: string }): Promise<SearchAnswer> {
    await ready();
    const items = await index.search({ ...request, withoutLongTerm: toSession(session) === 'shared' });
    told.note(items.map(({ entry }) => entry));
    return { items, query: request.query, total: items.length };
  }
  async function daily(date: string): Promise<DailyLog> {
    await ready();
    const path = toDailyFile(date);
    const items = index.ofFile(path).map(({ position, writtenId, ...entry }) => entry);
    told.note(items);
    return {
      date,
      file_path: path,
      entries: items.map(({ id }) => id),
      items,
      summary: index.summaryOf(path) ?? null,
      created_at: calendar.toInstant(date, undefined),
    };
  }
  return {
    identity: createIdentity({ ...options, locks, sync }),
    add: async (request) => tell(await entries.add({ ...request, session: toSession(request.session) })),
    get: async (id, session) => {
      await ready();
      return tell(entries.get(id, toSession(session)));
    },
    list: async ({ limit, offset, session, ...selection }) => {
      await ready();
      const page = index.list({ ...selection, withoutLongTerm: toSession(session) === 'shared' }, { limit, offset });
      told.note(page.items);
      return page;
    },
    update: async (id, request) => {
      await ready();
      return tell(await entries.update(id, { ...request, session: toSession(request.session) }));
    },
    delete: async (id, session) => {
      await ready();
      return entries.delete(id, toSession(session));
    },
    search,
    similar: async (id, limit, session) => {
      await ready();
      const { content, id: except } = entries.get(id, toSession(session));
      return search({ query: content, limit, fusion: 'weighted', session, except });
    },
    daily,
    loadContext: async (request) => {
      await ready();
      const context = await loadContext({ ...request, session: toSession(request.session) });
      const ids = context.sections.flatMap((section) => section.entries);
      told.note(ids.flatMap((id) => index.get(id) ?? []));
      return context;
    },
    ...createSummaries({ ...options, locks, sync, daily, summarize }),
    archive: createArchive({ ...options, locks, sync, ready }),
    readFile: async (path, session) => {
      if (path === LONG_TERM_FILE && toSession(session) === 'shared') return undefined;
      return (await workspace.read(path))?.text;
    },
    listFiles: async () => [...(await workspace.list()).keys()],
    sync: async () => {
      await ready();
      return sync.all();
    },
    rebuild: async () => {
      await ready();
      let report: SyncReport = { files: 0, changed: 0, removed: 0 };
      await readiness.until(async () => {
        await index.clear();
        report = await followAll();
      });
      return { ...report, entries: index.count() };
    },
    noteChange: async (path) => {
      await settled();
      await sync.file(path).catch((error: unknown) => {
        readiness.later(followAll);
        throw error;
      });
    },
    close: async () => {
      ending.abort();
      await settled();
      await index.close();
    },
  };
}

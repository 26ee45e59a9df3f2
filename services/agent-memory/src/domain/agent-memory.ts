import { EXPIRY_KEY } from '@contextloom/contracts';
import type {
  AddRequest,
  ArchiveReport,
  ArchiveRequest,
  ContextRequest,
  DailyLog,
  DailySummary,
  Deleted,
  EntryPage,
  ListRequest,
  LoadedContext,
  MemoryEntry,
  Rebuilt,
  SearchAnswer,
  SearchRequest,
  Session,
  SyncReport,
  UpdateRequest,
} from '@contextloom/contracts/agent-memory';
import { createKeyedQueue } from '@contextloom/runtime/scheduling';
import { type ContextOptions, createContextBuilder } from './context/context.ts';
import { createEntries, type EntriesOptions } from './editing/entries.ts';
import { createIdentity, type IdentityFiles } from './editing/identity-files.ts';
import { createSeenTexts } from './editing/seen-texts.ts';
import { createWorkspaceLanguage } from './editing/workspace-language.ts';
import { removeEntries } from './grammar/edit.ts';
import { parseEntries } from './grammar/entry-file.ts';
import { createArchive } from './maintenance/archive.ts';
import { createDayEnd } from './maintenance/day-end.ts';
import { createFollowEntry } from './maintenance/follow-entry.ts';
import { createForgetEnded } from './maintenance/forget-ended.ts';
import { createSummaries, type Summarize } from './maintenance/summary.ts';
import { hasEnded } from './model/ends.ts';
import { LONG_TERM_FILE, toDailyFile } from './model/files.ts';
import type { FileEvents, MemoryPorts } from './ports/memory-ports.ts';
import { withoutEnded } from './ports/without-ended.ts';
import { createFileEditor } from './sync/edit-file.ts';
import { createReadiness } from './sync/readiness.ts';
import { createSync } from './sync/sync.ts';

/** What an agent memory is made of. */
export interface AgentMemoryOptions
  extends MemoryPorts,
    FileEvents,
    Pick<ContextOptions, 'countTokens' | 'userId'>,
    Pick<EntriesOptions, 'toLifetime'> {
  /** Every caller is a session that others see. */
  readonly isShared: boolean;
  /** How long a call waits for an index that is being made, in milliseconds. */
  readonly patienceMs?: number;
  /** Makes the summary of a day; by rules when absent, or when it cannot. */
  readonly summarize: Summarize | undefined;
}

/** A workspace as a memory: every answer is from the files as they are, or from the index once it has followed them. */
export interface AgentMemory {
  readonly identity: IdentityFiles;
  add(request: AddRequest): Promise<MemoryEntry>;
  get(id: string, session: Session): Promise<MemoryEntry>;
  list(request: ListRequest): Promise<EntryPage>;
  update(id: string, request: UpdateRequest): Promise<MemoryEntry>;
  delete(id: string, session: Session): Promise<Deleted>;
  search(request: SearchRequest): Promise<SearchAnswer>;
  similar(id: string, limit: number, session: Session): Promise<SearchAnswer>;
  daily(date: string): Promise<DailyLog>;
  loadContext(request: ContextRequest): Promise<LoadedContext>;
  summarizeDay(date: string | undefined, signal: AbortSignal): Promise<DailySummary>;
  /** Writes the summaries of days that have ended and have none, once a day. */
  endDays(signal: AbortSignal): Promise<void>;
  archive(request: ArchiveRequest): Promise<ArchiveReport>;
  /** Takes the entries that have ended out of their files; a receipt of each stays. */
  forgetEnded(): Promise<void>;
  /** The text of a file; undefined when it does not exist, and for MEMORY.md in a shared session. */
  readFile(path: string, session: Session): Promise<string | undefined>;
  /** Takes a file in where there is none of its name; `other`: there is one with another text, which stays. */
  importFile(path: string, text: string): Promise<'written' | 'same' | 'other'>;
  /** The files there are. */
  listFiles(): Promise<readonly string[]>;
  /** Looks at every file again. */
  sync(): Promise<SyncReport>;
  /** Makes the whole index again from the files. */
  rebuild(): Promise<Rebuilt>;
  /** Makes the vectors of entries that were written while the embedder was out of reach, as far as it can; answers how many. */
  embedWaiting(): Promise<number>;
  /** How many entries have no vector yet. */
  countWaiting(): Promise<number>;
  /** Brings a file that somebody changed into the index. */
  noteChange(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The text of a file without the entries that have ended. @throws ContextloomError `conflict` where it would be read otherwise */
function withoutEndedText(path: string, text: string, now: Date): string {
  // Most files have no end in them, and need no parsing.
  if (!text.includes(EXPIRY_KEY)) return text;
  const ended = parseEntries(path, text).filter(({ mark = {} }) => hasEnded(mark, now));
  return ended.length === 0 ? text : removeEntries(path, text, ended);
}

/** Builds an agent memory, and begins to bring the index up to date: what needs it waits. */
export function createAgentMemory({
  isShared,
  summarize,
  patienceMs,
  language: choice,
  ...options
}: AgentMemoryOptions): AgentMemory {
  const { workspace, calendar, clock } = options;
  const index = withoutEnded(options.index, clock);
  const queue = createKeyedQueue();
  const { find: language, forget } = createWorkspaceLanguage({ workspace, index, choice });
  const onChanged = (path: string): void => {
    forget();
    options.onChanged(path);
  };
  const sync = createSync({ ...options, onChanged, queue, onBehind: () => readiness.later(followAll) });
  const parts = {
    ...options,
    index,
    language,
    sync,
    edit: createFileEditor({ workspace, queue, sync }),
    seen: createSeenTexts(),
  };
  const { seen } = parts;
  const entries = createEntries(parts);
  const archive = createArchive(parts);
  const forgetEnded = createForgetEnded(parts);
  const identity = createIdentity(parts);
  const loadContext = createContextBuilder({ ...parts, problems: sync.problems, isUnwritten: identity.isUnwritten });
  const ending = new AbortController();
  const readiness = createReadiness({ progress: sync.progress, patienceMs });
  const ready = (): Promise<void> => {
    if (index.isStale()) readiness.later(followAll);
    return readiness.wait();
  };
  const settled = () => readiness.settled().catch(() => undefined); // Its caller has the error.
  const followAll = async () => {
    await index.renew();
    return sync.all({ signal: ending.signal });
  };
  const followFirst = () => workspace.recover().then(followAll);
  readiness.until(followFirst).catch((error: unknown) => options.onProblem('the workspace', error));
  const toSession = (session: Session): Session => (isShared ? 'shared' : session);

  const tell = (entry: MemoryEntry): MemoryEntry => {
    seen.note([entry]);
    return entry;
  };

  async function search({ session, ...request }: SearchRequest & { readonly except?: string }): Promise<SearchAnswer> {
    await ready();
    const { hits: items, nearest } = await index.search({
      ...request,
      withoutLongTerm: toSession(session) === 'shared',
    });
    seen.note(items.map(({ entry }) => entry));
    const found = { items, query: request.query, total: items.length };
    return items.length === 0 ? { ...found, nearest_score: nearest } : found;
  }
  async function readDay(date: string): Promise<DailyLog> {
    await ready();
    const path = toDailyFile(date);
    const items = index
      .ofFile(path)
      .filter((entry) => !(entry.in_text && entry.content_type === 'summary'))
      .map(({ position, writtenId, ...entry }) => entry);
    return {
      date,
      file_path: path,
      entries: items.map(({ id }) => id),
      items,
      summary: index.summaryOf(path) ?? null,
      created_at: calendar.toInstant(date, undefined),
    };
  }
  const daily = async (date: string): Promise<DailyLog> => {
    const log = await readDay(date);
    seen.note(log.items);
    return log;
  };
  const summarizeDay = createSummaries({ ...parts, daily, summarize });
  const following = createFollowEntry({ ...parts, readDay });
  return {
    identity,
    add: async (request) => tell(await entries.add({ ...request, session: toSession(request.session) })),
    get: async (id, session) => {
      await ready();
      return tell(entries.get(id, toSession(session)));
    },
    list: async ({ limit, offset, session, ...selection }) => {
      await ready();
      const page = index.list({ ...selection, withoutLongTerm: toSession(session) === 'shared' }, { limit, offset });
      seen.note(page.items);
      return page;
    },
    update: async (id, request) => {
      await ready();
      const session = toSession(request.session);
      const { result: now } = await following(index.get(id.toLowerCase()), () =>
        entries.update(id, { ...request, session }),
      );
      await ready();
      return tell(entries.get(now, session));
    },
    delete: async (id, session) => {
      await ready();
      const remove = () => entries.delete(id, toSession(session));
      const { consequences } = await following(index.get(id.toLowerCase()), remove);
      return { id, deleted: true, ...(consequences.length > 0 && { consequences: [...consequences] }) };
    },
    search,
    similar: async (id, limit, session) => {
      await ready();
      const { content, id: except } = entries.get(id, toSession(session));
      return search({ query: content, limit, session, except });
    },
    daily,
    loadContext: async (request) => {
      await ready();
      const context = await loadContext({ ...request, session: toSession(request.session) });
      const ids = context.sections.flatMap((section) => section.entries);
      seen.note(ids.flatMap((id) => index.get(id) ?? []));
      return context;
    },
    summarizeDay,
    endDays: createDayEnd({
      ...parts,
      daily,
      summarize: (date, signal) => summarizeDay(date, signal, { isKept: true }),
    }),
    archive: async (request) => {
      await ready();
      return archive(request);
    },
    readFile: async (path, session) => {
      if (path === LONG_TERM_FILE && toSession(session) === 'shared') return undefined;
      const file = await workspace.read(path);
      return file && withoutEndedText(path, file.text, clock());
    },
    forgetEnded: async () => {
      await ready();
      await forgetEnded();
    },
    importFile: async (path, text) => {
      await ready();
      return parts.edit<'written' | 'same' | 'other'>(path, (file) => {
        if (file === undefined) return { text, value: 'written' };
        return { text: undefined, value: file.text === text ? 'same' : 'other' };
      });
    },
    listFiles: async () => [...(await workspace.list()).keys()],
    sync: async () => {
      await ready();
      return sync.all();
    },
    embedWaiting: async () => {
      await ready();
      const before = index.countWaiting();
      return before === 0 ? 0 : before - (await index.completeVectors());
    },
    countWaiting: async () => {
      await ready();
      return index.countWaiting();
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

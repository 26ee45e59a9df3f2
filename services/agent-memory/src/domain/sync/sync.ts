import { isContextloomError } from '@contextloom/contracts';
import type { SyncReport } from '@contextloom/contracts/agent-memory';
import type { KeyedQueue } from '@contextloom/runtime/scheduling';
import { markEntries } from '../grammar/edit.ts';
import { parseEntries, parseEntryFile } from '../grammar/entry-file.ts';
import type { ParsedEntry } from '../grammar/parsed-entry.ts';
import { parsePassages } from '../grammar/passages.ts';
import { parseOwner } from '../identity/owner.ts';
import { parseSpirit } from '../identity/spirit.ts';
import { parseToolDefinitions } from '../identity/tool-definitions.ts';
import { fromDailyFile, OWNER_FILE, SPIRIT_FILE, TOOLS_FILE } from '../model/files.ts';
import type { FileFacts, IndexedEntry, IndexedFile } from '../ports/entry-index.ts';
import type { Calendar, FileEvents, MemoryPorts } from '../ports/memory-ports.ts';
import type { WorkspaceFile } from '../ports/workspace.ts';
import { type NamedEntry, nameEntries } from './naming.ts';
import type { Progress } from './readiness.ts';

/** Reads one of the identity's files; nothing where its front matter cannot be read, which reading the file itself reports. */
function toIdentityFacts(path: string, text: string): FileFacts {
  try {
    if (path === SPIRIT_FILE) return { kind: 'spirit', spirit: parseSpirit(text) };
    if (path === OWNER_FILE) return { kind: 'owner', owner: parseOwner(text) };
    if (path === TOOLS_FILE) return { kind: 'tools', tools: parseToolDefinitions(text) };
    return { kind: 'none' };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { kind: 'none' };
  }
}

/** What keeps the index equal to the files. */
export interface SyncOptions extends Pick<MemoryPorts, 'workspace' | 'index' | 'calendar' | 'onProblem'>, FileEvents {
  readonly queue: KeyedQueue;
  /** Called when a file is written that the index could not follow. */
  readonly onBehind: () => void;
}

/** Keeps the index equal to the files. */
export interface Sync {
  /** Brings one file into the index, and gives ids to its entries. */
  file(path: string): Promise<void>;
  /** The same within the file's lock, by who has it and wrote the file: what fails then is tried again at the next call. */
  follow(path: string): Promise<void>;
  /** Brings every file into the index that is not as it was indexed. */
  all(options?: { readonly signal?: AbortSignal | undefined }): Promise<SyncReport>;
  /** How far {@link Sync.all} has come, or came the last time. */
  progress(): Progress;
  /** The files that could not be read when they were last looked at, and why. */
  problems(): ReadonlyMap<string, string>;
  /** The entries of a file as it is now, with their ids. */
  name(file: WorkspaceFile): Promise<readonly NamedEntry[]>;
}

/** Files a transaction. */
const BATCH = 32;
/** How often ids are written into a file that others change meanwhile; after that they wait for its next change. */
const MAX_TRIES = 5;

/** The entries of a file and what stands outside of them, in the order of the file. */
function withPassages(path: string, text: string, entries: readonly ParsedEntry[]): readonly ParsedEntry[] {
  return [...entries, ...parsePassages(path, text, entries)].sort((a, b) => a.start - b.start);
}

/** A named entry as the index takes it. */
function toIndexed(
  { path, modified }: WorkspaceFile,
  { parsed, id }: NamedEntry,
  position: number,
  calendar: Calendar,
  editedAt: string | undefined,
): IndexedEntry {
  const { content, contentType, label, date, time, mark } = parsed;
  const created = date === '' ? modified : calendar.toInstant(date, time);
  return {
    id,
    content,
    content_type: contentType,
    source_file: path,
    date,
    created_at: created,
    updated_at:
      [mark?.updated, editedAt].reduce((last, time) => (time !== undefined && time > (last ?? '') ? time : last)) ??
      created,
    editedAt,
    label,
    metadata: mark?.metadata,
    position,
    writtenId: mark?.id,
    in_text: parsed.inText,
  };
}

/** Whether an entry was changed since it was indexed, by no tool: a tool notes when. */
function isEdited({ content, label, contentType, mark }: ParsedEntry, known: IndexedEntry): boolean {
  const toKey = (...parts: readonly unknown[]): string => JSON.stringify(parts);
  const isByTool = mark?.updated !== undefined && mark.updated > known.updated_at;
  const before = toKey(known.content, known.label, known.content_type, known.metadata ?? {});
  return !isByTool && toKey(content, label, contentType, mark?.metadata ?? {}) !== before;
}

function toIndexedFile(
  { path, text, stamp, modified }: WorkspaceFile,
  entries: readonly IndexedEntry[],
  summary: string | undefined,
  calendar: Calendar,
): IndexedFile {
  const date = fromDailyFile(path);
  const facts: FileFacts = date === undefined ? toIdentityFacts(path, text) : { kind: 'day', summary };
  return { path, stamp, modified, created: date && calendar.toInstant(date, undefined), facts, entries };
}

/** Builds what keeps the index equal to the files. */
export function createSync({ workspace, index, calendar, queue, onProblem, onBehind, ...options }: SyncOptions): Sync {
  let progress: Progress = { done: 0, total: 0 };
  const problems = new Map<string, string>();
  async function read(path: string): Promise<WorkspaceFile | undefined> {
    try {
      const file = await workspace.read(path);
      problems.delete(path);
      return file;
    } catch (error) {
      if (isContextloomError(error)) problems.set(path, error.message);
      throw error;
    }
  }
  /** The ids that stand in a file. */
  async function idsOf(path: string): Promise<ReadonlySet<string>> {
    const file = await workspace.read(path).catch(() => undefined); // Its own sync tells of it.
    return new Set(file === undefined ? [] : parseEntries(path, file.text).flatMap(({ mark }) => mark?.id ?? []));
  }
  function name(
    path: string,
    entries: readonly ParsedEntry[],
    isSettling = false,
    claimed: ReadonlyMap<string, string> = new Map(),
  ) {
    const places = index.filesOf(entries.flatMap(({ mark }) => mark?.id ?? []));
    const known = new Map<string, Promise<ReadonlySet<string>>>();
    /** Whether another file has the id: the index knows which, and the file itself whether it still does. */
    async function isElsewhere(id: string): Promise<boolean> {
      const other = claimed.get(id) ?? places.get(id);
      if (other === undefined || other === path) return false;
      const ids = known.get(other) ?? idsOf(other);
      known.set(other, ids); // A copy of a file has all of its ids.
      return (await ids).has(id);
    }
    return nameEntries(path, entries, { isElsewhere, isSettling });
  }

  /** When persons changed entries: an entry that says something else than the index, by no tool, was changed with its file. */
  function findEdits(file: WorkspaceFile, named: readonly NamedEntry[]): ReadonlyMap<string, string> {
    const edits = new Map(index.editsOf(named.map(({ id }) => id)));
    const isKnown = index.stampOf(file.path) !== undefined;
    for (const { id, parsed } of isKnown ? named : []) {
      const known = index.get(id);
      if (known !== undefined && isEdited(parsed, known)) edits.set(id, file.modified);
    }
    return edits;
  }

  /** Reads a file and gives ids to its entries; undefined when it does not exist. */
  async function prepare(path: string, isSettling: boolean, claimed: ReadonlyMap<string, string>) {
    for (let tries = 1; ; tries += 1) {
      const file = await read(path);
      if (file === undefined) return undefined;
      const parsed = parseEntryFile(path, file.text);
      const all = withPassages(path, file.text, parsed.entries);
      const named = await name(path, all, isSettling, claimed);
      const unwritten = named.filter((one) => one.isUnwritten);
      const marks = new Map(unwritten.map(({ parsed, id }) => [parsed.start, { ...parsed.mark, id }]));
      const isFinal = unwritten.length === 0 || workspace.isReadOnly || tries > MAX_TRIES;
      const text = isFinal ? undefined : markEntries(path, file.text, marks);
      if (text === undefined) {
        const edits = findEdits(file, named);
        const entries = named.map((one, position) => toIndexed(file, one, position, calendar, edits.get(one.id)));
        return toIndexedFile(file, entries, parsed.summary, calendar);
      }
      await workspace.write(path, file, text); // Written or not, it is read again.
    }
  }

  /** Files whose entry waited for an id that another file no longer has. */
  async function release(waiting: readonly string[]): Promise<void> {
    for (const path of waiting) await file(path, true);
  }

  async function putFiles(files: readonly IndexedFile[]): Promise<readonly string[]> {
    const before = files.flatMap(({ path }) => index.ofFile(path).map(({ id }) => id));
    const isNew = files.some(({ path }) => index.stampOf(path) === undefined);
    await index.put(files);
    const now = new Set(files.flatMap(({ entries }) => entries.map(({ id }) => id)));
    const waiting = index.filesWaitingFor(before.filter((id) => !now.has(id)));
    for (const { path } of files) options.onChanged(path);
    if (isNew) options.onListChanged();
    return waiting.filter((path) => !files.some((one) => one.path === path));
  }

  async function removeFiles(paths: readonly string[]): Promise<readonly string[]> {
    const before = paths.flatMap((path) => index.ofFile(path).map(({ id }) => id));
    await index.remove(paths);
    for (const path of paths) options.onChanged(path);
    options.onListChanged();
    return index.filesWaitingFor(before);
  }

  /** @returns the files that have to be looked at again */
  async function syncLocked(path: string, isSettling: boolean): Promise<readonly string[]> {
    const prepared = await prepare(path, isSettling, new Map());
    if (prepared !== undefined) return putFiles([prepared]);
    return index.stampOf(path) === undefined ? [] : removeFiles([path]);
  }

  async function file(path: string, isForced = false): Promise<void> {
    const waiting = await queue(path, async () => {
      if (!isForced && (await read(path))?.stamp === index.stampOf(path)) return [];
      return syncLocked(path, false);
    });
    await release(waiting);
  }

  async function syncBatch(paths: readonly string[], claimed: Map<string, string>): Promise<readonly string[]> {
    return queue(paths, async () => {
      const files: IndexedFile[] = [];
      for (const path of paths) {
        try {
          const prepared = await prepare(path, true, claimed);
          for (const { id } of prepared?.entries ?? []) claimed.set(id, path);
          if (prepared !== undefined) files.push(prepared);
        } catch (error) {
          if (!isContextloomError(error)) throw error;
          onProblem(path, error);
        }
      }
      return putFiles(files);
    });
  }

  return {
    file: (path) => file(path),
    follow: async (path) => {
      const tell = (error: unknown): void => {
        onProblem(path, error);
        onBehind();
      };
      try {
        const waiting = await syncLocked(path, false);
        // They wait in the queue of their own files, after this work is done.
        void release(waiting.filter((one) => one !== path)).catch(tell);
      } catch (error) {
        tell(error);
      }
    },
    name: ({ path, text }) => name(path, withPassages(path, text, parseEntries(path, text))),
    progress: () => progress,
    problems: () => problems,
    all: async ({ signal } = {}) => {
      const [found, known] = [await workspace.list(), index.stamps()];
      for (const path of problems.keys()) if (!found.has(path)) problems.delete(path);
      const changed = [...found].filter(([path, stamp]) => known.get(path) !== stamp).map(([path]) => path);
      const removed = [...known.keys()].filter((path) => !found.has(path));
      const waiting = new Set(removed.length === 0 ? [] : await removeFiles(removed));
      const claimed = new Map<string, string>();
      for (let from = 0; from < changed.length && signal?.aborted !== true; from += BATCH) {
        progress = { done: from, total: changed.length };
        for (const path of await syncBatch(changed.slice(from, from + BATCH), claimed)) waiting.add(path);
      }
      await release([...waiting]);
      if (signal?.aborted !== true) await index.completeVectors();
      return { files: found.size, changed: changed.length, removed: removed.length };
    },
  };
}

import type { ArchiveReport, ArchiveRequest, MemoryEntry } from '@contextloom/contracts/agent-memory';
import type { MemoryParts } from '../editing/parts.ts';
import { addEntry, removeEntries } from '../grammar/edit.ts';
import { parseEntries } from '../grammar/entry-file.ts';
import { toDailySkeleton } from '../identity/skeletons.ts';
import { isLasting } from '../model/ends.ts';
import { fromDailyFile, toArchiveFile } from '../model/files.ts';
import { editFile } from '../sync/edit-file.ts';

/** How much entries count that do not say it themselves (metadata.importance). */
const IMPORTANCE: Readonly<Record<MemoryEntry['content_type'], number>> = {
  decision: 7,
  manual: 6,
  summary: 5,
  conversation: 3,
};
const PAGE = 500;

function toImportance({ metadata, content_type }: MemoryEntry): number {
  const own = metadata?.['importance'];
  return typeof own === 'number' ? own : IMPORTANCE[content_type];
}

/** Builds what moves old entries of little importance to `memory/archive/`, which is neither searched nor loaded. */
export function createArchive({
  workspace,
  index,
  calendar,
  sync,
  edit,
  language,
  clock,
}: Omit<MemoryParts, 'newId' | 'onProblem' | 'seen'>) {
  function select(before: string, maxImportance: number): readonly MemoryEntry[] {
    const chosen: MemoryEntry[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { items } = index.list({ end_date: before, withoutLongTerm: true }, { limit: PAGE, offset });
      // What has an end goes by itself.
      const isOld = (entry: MemoryEntry) => entry.in_text !== true && isLasting(entry);
      chosen.push(...items.filter((entry) => isOld(entry) && toImportance(entry) <= maxImportance));
      if (items.length < PAGE) return chosen;
    }
  }

  /** Copies the entries first and takes them out after: whatever happens between, none is lost. */
  async function move(path: string, ids: ReadonlySet<string>): Promise<number> {
    const date = fromDailyFile(path) ?? '';
    const target = toArchiveFile(date);
    const file = await workspace.read(path);
    const named = file === undefined ? [] : await sync.name(file);
    const moved = named.filter(({ id }) => ids.has(id));
    const written = await language();
    await editFile(workspace, target, (archive) => {
      const text = archive?.text ?? toDailySkeleton(date, written);
      const there = new Set(parseEntries(target, text).map(({ mark }) => mark?.id));
      const missing = moved.filter(({ id }) => !there.has(id));
      const added = missing.reduce((before, { parsed, id }) => {
        const entry = { ...parsed, time: parsed.time ?? '00:00', mark: { ...parsed.mark, id } };
        return addEntry(target, before, entry, written);
      }, text);
      return { text: missing.length === 0 ? undefined : added, value: undefined };
    });
    const contents = new Map(moved.map(({ id, parsed }) => [id, parsed.content]));
    return edit(path, async (now) => {
      if (now === undefined) return { text: undefined, value: 0 };
      const here = (await sync.name(now)).filter(({ id, parsed }) => contents.get(id) === parsed.content);
      const entries = here.map(({ parsed }) => parsed);
      return { text: removeEntries(path, now.text, entries), value: here.length };
    });
  }

  return async ({ older_than_days, max_importance, dry_run }: ArchiveRequest): Promise<ArchiveReport> => {
    const before = calendar.daysBefore(calendar.toLocal(clock()).date, older_than_days + 1);
    const chosen = select(before, max_importance);
    const items = chosen.map((entry) => {
      const { id, date, content_type, source_file } = entry;
      return { id, date, content_type, source_file, importance: toImportance(entry) };
    });
    if (dry_run) return { dry_run, before, archived: 0, items };
    let archived = 0;
    for (const path of new Set(chosen.map(({ source_file }) => source_file))) {
      const ids = chosen.filter(({ source_file }) => source_file === path).map(({ id }) => id);
      archived += await move(path, new Set(ids));
    }
    return { dry_run, before, archived, items };
  };
}

import { ContextloomError } from '@contextloom/contracts';
import type { AddRequest, MemoryEntry, Session, UpdateRequest } from '@contextloom/contracts/agent-memory';
import { addEntry, changeEntry, removeEntries } from '../grammar/edit.ts';
import type { NewEntry } from '../grammar/new-entry.ts';
import type { ParsedEntry } from '../grammar/parsed-entry.ts';
import { editPassage } from '../grammar/passages.ts';
import { skeletons, toDailySkeleton } from '../identity/skeletons.ts';
import { requireEnd } from '../model/ends.ts';
import { LONG_TERM_FILE, toDailyFile } from '../model/files.ts';
import { fromTypeLabel } from '../model/titles.ts';
import type { WorkspaceFile } from '../ports/workspace.ts';
import type { MemoryParts } from './parts.ts';
import type { SeenTexts } from './seen-texts.ts';
import { createToMetadata, type ToLifetime, withKeptEnd } from './to-metadata.ts';

const unknownEntry = (id: string): ContextloomError =>
  new ContextloomError('not_found', `there is no entry ${id}`, { field: 'id' });

/** A label stands where the type does: a word for a type is that type, and any other is of a note of a person's. */
function toKind({ content_type = 'manual', label }: AddRequest): Pick<NewEntry, 'contentType' | 'label'> {
  if (label === undefined) return { contentType: content_type, label };
  const named = fromTypeLabel(label);
  if (content_type !== 'manual' && content_type !== named) {
    const message = 'label takes the place of the type: leave content_type out, or the label';
    throw new ContextloomError('invalid', message, { field: 'label' });
  }
  return named === undefined ? { contentType: 'manual', label } : { contentType: named, label: undefined };
}

/** A text that no caller has read would be lost. */
function checkSeen(seen: SeenTexts, id: string, { content }: ParsedEntry): void {
  if (!seen.hasChanged(id, content)) return;
  const message = `the entry ${id} was changed in its file since it was read: read it again`;
  throw new ContextloomError('conflict', message, { field: 'id' });
}

/** What becomes of text outside of entries, which has no type and metadata of its own. */
function toPassageText(
  path: string,
  { content, content_type, metadata }: Omit<UpdateRequest, 'session'>,
  { content: before }: ParsedEntry,
): string {
  if (content_type === undefined && metadata === undefined) return content ?? before;
  const field = content_type === undefined ? 'metadata' : 'content_type';
  throw new ContextloomError(
    'invalid',
    `${field}: this is text of ${path} outside of entries, of which only content changes`,
    { field },
  );
}

/** What entries are edited with. */
export interface EntriesOptions extends Omit<MemoryParts, 'workspace' | 'onProblem'> {
  /** After how long an entry is forgotten that does not say when. */
  readonly toLifetime?: ToLifetime | undefined;
  readonly userId?: string | undefined;
}

/** Builds what adds, changes and deletes entries: in the file first, then in the index. */
export function createEntries({ index, calendar, sync, edit, seen, language, clock, newId, ...rules }: EntriesOptions) {
  const toMetadata = createToMetadata({ ...rules, clock });
  function get(id: string, session: Session): MemoryEntry {
    const found = index.get(id.toLowerCase());
    if (found === undefined || (session === 'shared' && found.source_file === LONG_TERM_FILE)) throw unknownEntry(id);
    const { position, writtenId, ...entry } = found;
    return entry;
  }

  async function add({ session, ...request }: AddRequest): Promise<MemoryEntry> {
    const isLongTerm = request.long_term ?? false;
    if (isLongTerm && session === 'shared') {
      throw new ContextloomError('forbidden', 'a shared session cannot write MEMORY.md', { field: 'long_term' });
    }
    const { date, time } = calendar.toLocal(clock());
    const { contentType, label } = toKind({ ...request, session });
    const path = isLongTerm ? LONG_TERM_FILE : toDailyFile(date);
    const id = newId();
    const metadata = toMetadata({ ...request, content_type: contentType });
    const mark = { id, metadata };
    const written = await language(request.content);
    const skeleton = isLongTerm ? (skeletons[written][LONG_TERM_FILE] ?? '') : toDailySkeleton(date, written);
    const entry = { date, time, contentType, label, content: request.content, mark };
    await edit(path, (file) => ({
      text: addEntry(path, file?.text ?? skeleton, entry, written),
      value: undefined,
    }));
    const created = calendar.toInstant(date, isLongTerm ? undefined : time);
    return {
      id,
      content: request.content,
      content_type: contentType,
      source_file: path,
      date,
      created_at: created,
      updated_at: created,
      ...(label !== undefined && { label }),
      ...(metadata !== undefined && { metadata }),
    };
  }

  /** Edits the entry with an id in its file. The index may be behind a person's move: then all files are looked at once. */
  async function change(
    id: string,
    session: Session,
    toText: (file: WorkspaceFile, entry: ParsedEntry) => string,
    isLast = false,
  ): Promise<void> {
    if (!isLast && index.get(id.toLowerCase()) === undefined) await sync.all();
    const { source_file: path, id: ownId } = get(id, session);
    const isFound = await edit(path, async (file) => {
      const named = file === undefined ? [] : await sync.name(file);
      const entry = named.find((one) => one.id === ownId)?.parsed;
      return { text: file && entry && toText(file, entry), value: entry !== undefined };
    });
    if (isFound) return;
    if (isLast) throw unknownEntry(id);
    await sync.all();
    await change(id, session, toText, true);
  }

  /** The id of what stands outside of entries and was just written. */
  function findPassage({ path, content }: { readonly path: string; readonly content: string }): string {
    const found = index.ofFile(path).find((entry) => entry.in_text && entry.content === content);
    if (found === undefined)
      throw new ContextloomError('conflict', `${path} was changed by others: read it again`, { field: 'id' });
    return found.id;
  }

  return {
    get,
    add,
    /** @returns the id from then on: that of text outside of entries follows from what it says */
    update: async (id: string, { session, ...request }: UpdateRequest): Promise<string> => {
      const updated = clock().toISOString();
      const written = await language();
      requireEnd(request.metadata);
      let passage: { readonly path: string; readonly content: string } | undefined;
      await change(id, session, ({ path, text }, entry) => {
        if (request.content !== undefined) checkSeen(seen, id.toLowerCase(), entry);
        if (entry.inText) {
          passage = { path, content: toPassageText(path, request, entry) };
          return editPassage(path, text, entry, passage.content);
        }
        const metadata = withKeptEnd(request.metadata, entry.mark?.metadata);
        const mark = { ...entry.mark, id: id.toLowerCase(), updated, metadata };
        const changed = {
          mark,
          ...(request.content !== undefined && { content: request.content }),
          ...(request.content_type !== undefined && { contentType: request.content_type }),
        };
        return changeEntry(path, text, entry, changed, written);
      });
      return passage === undefined ? id : findPassage(passage);
    },
    delete: (id: string, session: Session): Promise<void> =>
      change(id, session, ({ path, text }, entry) => {
        checkSeen(seen, id.toLowerCase(), entry);
        return entry.inText ? editPassage(path, text, entry, undefined) : removeEntries(path, text, [entry]);
      }),
  };
}

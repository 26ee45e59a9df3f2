import { writeFile } from 'node:fs/promises';
import {
  type OpenNote,
  placeNotes,
  toOpenNote,
  writeMemoryLine,
  writeNote,
  writeNoteIndex,
} from '@contextloom/contracts';
import type { Aggregator } from '../aggregator.ts';
import { createArchiveWriter } from './write-archive.ts';

/** What memories can be exported as besides an archive: files of the Open Knowledge Format, or a line each. */
export const NOTE_FORMATS = ['okf', 'list'] as const;
/** One of {@link NOTE_FORMATS}. */
export type NoteFormat = (typeof NOTE_FORMATS)[number];

const TIMEOUT_MS = 600_000;
const PAGE = 100;
/** Memories that are read at once. */
const AT_ONCE = 8;

/** Whose memories are exported, as what, and where to. */
export interface ExportNotesOptions {
  readonly aggregator: Pick<Aggregator, 'call'>;
  readonly user: string;
  readonly format: NoteFormat;
  readonly file: string;
}

/** How many memories were written, and which stores could not be asked. */
export interface ExportedNotes {
  readonly memories: number;
  readonly not_asked: readonly { readonly store: string; readonly reason: string }[];
}

/** Reads a memory whole: a list shows the beginning of a long one. */
async function readNote(id: string, { aggregator, user }: ExportNotesOptions): Promise<OpenNote> {
  return toOpenNote(await aggregator.call('get_memory', { id, user_id: user }, { timeoutMs: TIMEOUT_MS }));
}

async function readNotes(
  options: ExportNotesOptions,
): Promise<ExportedNotes & { readonly notes: readonly OpenNote[] }> {
  const { aggregator, user } = options;
  const notes: OpenNote[] = [];
  const notAsked = new Map<string, ExportedNotes['not_asked'][number]>();
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const args = { user_id: user, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = await aggregator.call('list_memories', args, { timeoutMs: TIMEOUT_MS });
    for (let from = 0; from < page.memories.length; from += AT_ONCE) {
      const some = page.memories.slice(from, from + AT_ONCE);
      notes.push(...(await Promise.all(some.map(({ id }) => readNote(id, options)))));
    }
    for (const one of page.not_asked) notAsked.set(one.store, one);
    cursor = page.next_cursor;
  }
  return { notes, memories: notes.length, not_asked: [...notAsked.values()] };
}

/**
 * Writes the memories of a user as other programs read them: a ZIP of Markdown files, or a text.
 * @throws ContextloomError what the aggregator answers; then there is no file
 */
export async function exportNotes(options: ExportNotesOptions): Promise<ExportedNotes> {
  const { notes, ...exported } = await readNotes(options);
  const { file, format } = options;
  if (format === 'list') {
    await writeFile(file, notes.map(writeMemoryLine).join(''), { mode: 0o600 });
    return exported;
  }
  const writer = await createArchiveWriter(file);
  try {
    const placed = placeNotes(notes);
    for (const { note, path, links } of placed) {
      const entry = writer.add(path);
      await entry.write(writeNote(note, links));
      await entry.end();
    }
    const index = writer.add('index.md');
    await index.write(writeNoteIndex(placed));
    await index.end();
    await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  return exported;
}

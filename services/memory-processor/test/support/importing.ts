import { Readable } from 'node:stream';
import { type Found, openSource, type ReadSourceOptions, readSource, type Source } from '@contextloom/transcripts';
import { createMemoryProcessor, type MemoryProcessorOptions } from '../../src/create-memory-processor.ts';
import type { GraphStore } from '../../src/domain/graph-store.ts';
import type { Journal } from '../../src/domain/imports/journal.ts';
import type { MemoryStore } from '../../src/domain/memory-store.ts';
import type { ImportRequest } from '../../src/imports/import-request.ts';
import { planImport } from '../../src/imports/plan-import.ts';
import { createPreview, type Preview } from '../../src/imports/preview.ts';
import { type ImportOutcome, runImport, toImportId } from '../../src/imports/run-import.ts';
import { sqliteJournalTables } from '../../src/store/journal/journal-tables.ts';
import { createSqlJournal } from '../../src/store/journal/sql-journal.ts';
import { createLazyGraphStore } from '../../src/store/lazy-graph-store.ts';
import { openSqliteDatabase } from '../../src/store/sql/sqlite-database.ts';

const nothing = Readable.from([]);

/** Opens a file, a folder or an archive as the command does. */
export function openPath(path: string): Promise<Source> {
  return openSource(path, path, nothing);
}

/** Everything that is found in a path, and its preview. */
export async function readPath(
  path: string,
  options: Partial<ReadSourceOptions> = {},
): Promise<{ found: readonly Found[]; preview: Preview }> {
  const source = await openPath(path);
  const preview = createPreview(path);
  const found: Found[] = [];
  for await (const one of readSource(source, { signal: new AbortController().signal, ...options })) {
    preview.add(one);
    found.push(one);
  }
  await source.close();
  return { found, preview: preview.result() };
}

/** Every turn that is found, as `speaker: words`. */
export function toTurns(found: readonly Found[]): readonly string[] {
  return found.flatMap((one) =>
    one.kind === 'conversation'
      ? one.conversation.sessions.flatMap(({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`))
      : [],
  );
}

/** What a test imports into. */
export interface Importing {
  readonly journal: Journal;
  readonly close: () => Promise<void>;
  readonly run: (
    path: string,
    options?: Partial<ReadSourceOptions>,
    wishes?: Pick<ImportRequest, 'reread' | 'rereadSince'>,
  ) => Promise<ImportOutcome>;
}

/** A composition without personal memory. */
export const NO_GRAPH = createLazyGraphStore(async () => undefined);

/** Imports paths for Ann into a store, with a journal in a folder. */
export function createImporting(
  memories: MemoryStore,
  folder: string,
  {
    graph = NO_GRAPH,
    ...model
  }: Pick<MemoryProcessorOptions, 'llm' | 'extractor' | 'people'> & { readonly graph?: GraphStore } = {},
): Importing {
  const clock = (): Date => new Date('2025-01-02T03:04:05Z');
  const database = openSqliteDatabase(`${folder}/imports.db`, sqliteJournalTables);
  const journal = createSqlJournal(database, clock);
  const processor = createMemoryProcessor({ memories, clock, ...model });
  const run: Importing['run'] = async (path, options = {}, wishes = {}) => {
    const source = await openPath(path);
    const read = { signal: new AbortController().signal, ...options };
    const request = { sources: [source], userId: 'ann', forceSave: false, read, ...wishes };
    const { digests } = await planImport(request, { processor });
    try {
      return await runImport(toImportId(digests, request), request, {
        processor,
        journal,
        graph,
        onProgress: () => undefined,
      });
    } finally {
      await source.close();
    }
  };
  return { journal, run, close: database.close };
}

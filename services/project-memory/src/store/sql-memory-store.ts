import type { SplitContent } from '../domain/ingest/prepare.ts';
import type { MemoryStore } from '../domain/store.ts';
import type { SqlDatabase } from './database.ts';
import { forgetOwner } from './erasing/forget-owner.ts';
import { readCounts, readOthers } from './reading/counts.ts';
import { exportLines } from './reading/export-lines.ts';
import { drawLink, readLinked, removeLinks } from './reading/links.ts';
import { readSimilar } from './reading/nearest-memories.ts';
import { readMemories, readProjects, readTimeline } from './reading/read-memories.ts';
import { findByVector, findByWords, readPassages } from './reading/search-fragments.ts';
import { EXACT_UP_TO, type VectorSearch } from './reading/vector-search.ts';
import { type PrepareDatabaseOptions, prepareDatabase } from './schema/prepare-database.ts';
import { commitIngest } from './writing/commit-ingest.ts';
import { deleteMemory } from './writing/delete-memory.ts';
import { readArbitrations, readSkippedText, readVersions, rollbackArbitration } from './writing/history.ts';
import { importUnit } from './writing/import-unit.ts';
import { addEmbeddings, inspect, readPending, rewriteFragments } from './writing/upkeep.ts';

/** What a store needs besides its database. */
export interface SqlMemoryStoreOptions extends PrepareDatabaseOptions {
  /** Cuts a text into its fragments. */
  readonly split: SplitContent;
  /** Up to so many rows a search compares all of its selection; 10,000 unless told otherwise. */
  readonly exactUpTo?: number;
}

/**
 * Opens the store in a database of either engine, which it brings to the present schema. Closing it closes the database.
 * @throws ContextloomError as `prepareDatabase` does
 */
export async function createSqlMemoryStore(
  database: SqlDatabase,
  { split, exactUpTo = EXACT_UP_TO, ...options }: SqlMemoryStoreOptions,
): Promise<MemoryStore> {
  const search: VectorSearch = { ...(await prepareDatabase(database, options)), exactUpTo };
  const { vector } = search;
  return {
    commit: (change) => database.transaction((sql) => commitIngest(sql, search, change)),
    remove: (reach, id) => database.transaction((sql) => deleteMemory(sql, reach, id)),
    findByVector: (selection, query, limit) => findByVector(database, search, selection, query, limit),
    findByWords: (selection, tokens, limit) => findByWords(database, selection, tokens, limit),
    readPassages: (selection, hits) => readPassages(database, selection, hits),
    get: (selection, ids) => readMemories(database, selection, ids),
    timeline: (selection, since, page) => readTimeline(database, selection, since, page),
    projects: (reach, limit) => readProjects(database, reach, limit),
    counts: (ownerId) => readCounts(database, ownerId),
    others: (ownerId) => readOthers(database, ownerId),
    versions: (reach, id) => readVersions(database, reach, id),
    arbitrations: (query) => readArbitrations(database, query),
    skippedText: (reach, id) => readSkippedText(database, reach, id),
    rollback: (change) => database.transaction((sql) => rollbackArbitration(sql, vector, change, split)),
    link: (reach, link) => drawLink(database, reach, link),
    unlink: (reach, pattern) => removeLinks(database, reach, pattern),
    linked: (reach, ids) => readLinked(database, reach, ids),
    similar: (reach, ids, least, limit) => readSimilar(database, search, reach, ids, least, limit),
    exportLines: (selection) => exportLines(database, selection),
    importUnit: (ownerId, unit) => database.transaction((sql) => importUnit(sql, vector, ownerId, unit, split)),
    pending: (ownerId, limit) => readPending(database, ownerId, limit),
    addEmbeddings: (embedded) => database.transaction((sql) => addEmbeddings(sql, vector, embedded)),
    inspect: () => inspect(database),
    forget: (ownerId, isDryRun) => forgetOwner(database, ownerId, isDryRun),
    rewriteFragments: (id) => database.transaction((sql) => rewriteFragments(sql, vector, id, split)),
    close: () => database.close(),
  };
}

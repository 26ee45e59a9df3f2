import type { SplitContent } from '../domain/ingest/prepare.ts';
import type { Limits } from '../domain/project.ts';
import type { MemoryStore } from '../domain/store.ts';
import type { Sql, SqlDatabase, StoreEngine } from './database.ts';
import { readCounts, readOthers } from './reading/counts.ts';
import { exportLines } from './reading/export-lines.ts';
import { drawLink, readLinked, removeLinks } from './reading/links.ts';
import { findIds, readMemories, readProjects, readTimeline } from './reading/read-memories.ts';
import { readPassages } from './reading/read-passages.ts';
import type { PrepareOptions } from './space.ts';
import { commitIngest } from './writing/commit-ingest.ts';
import { forgetEnded, hasEnded } from './writing/forget-ended.ts';
import { readArbitrations, readSkippedText, readVersions, rollbackArbitration } from './writing/history.ts';
import { importUnit } from './writing/import-unit.ts';
import { addEmbeddings, inspect, readPending, rewriteFragments } from './writing/upkeep.ts';
import { deleteMemory } from './writing/write-memories.ts';

/** What a store needs besides its engine. */
export interface SqlMemoryStoreOptions extends PrepareOptions {
  /** Cuts a text into its fragments. */
  readonly split: SplitContent;
}

/**
 * Opens the store of an engine, which it brings to the present schema. Closing it closes the database.
 * @throws ContextloomError as the engine's `prepare` does
 */
export async function createSqlMemoryStore(
  engine: StoreEngine,
  { split, ...options }: SqlMemoryStoreOptions,
): Promise<MemoryStore> {
  const { findNearest, comparison: _, ...finders } = await engine.prepare(options);
  const { database } = engine;
  const within = ({ signal }: Limits): SqlDatabase => database.until(signal);
  const change = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => database.transaction(work);
  return {
    ...finders,
    commit: (ingest) => change((sql) => commitIngest(sql, findNearest, ingest)),
    remove: (reach, id) => change((sql) => deleteMemory(sql, reach, id)),
    readPassages: (selection, hits, withVectors) => readPassages(within(selection), selection, hits, withVectors),
    get: (selection, ids) => readMemories(within(selection), selection, ids),
    findIds: (reach, beginnings) => findIds(within(reach), reach.ownerId, beginnings),
    timeline: (selection, since, page) => readTimeline(within(selection), selection, since, page),
    projects: (reach, limit) => readProjects(within(reach), reach, limit),
    counts: (reach) => readCounts(within(reach), reach.ownerId),
    others: (reach) => readOthers(within(reach), reach.ownerId),
    versions: (reach, id) => readVersions(within(reach), reach, id),
    arbitrations: (query) => readArbitrations(within(query), query),
    skippedText: (reach, id) => readSkippedText(database, reach, id),
    rollback: (rollback) => change((sql) => rollbackArbitration(sql, rollback, split)),
    link: (reach, link) => change((sql) => drawLink(sql, reach, link)),
    unlink: (reach, pattern) => change((sql) => removeLinks(sql, reach, pattern)),
    linked: (reach, ids) => readLinked(within(reach), reach, ids),
    exportLines: (selection) => exportLines(within(selection), selection),
    importUnit: (ownerId, unit) => change((sql) => importUnit(sql, ownerId, unit, split)),
    pending: (ownerId, limit) => readPending(database, ownerId, limit),
    addEmbeddings: (embedded) => change((sql) => addEmbeddings(sql, embedded)),
    inspect: () => inspect(database),
    forget: engine.forget,
    hasEnded: (reach, now) => hasEnded(within(reach), reach.ownerId, now),
    forgetEnded: (ownerId, now) =>
      change(async (sql) => {
        await forgetEnded(sql, ownerId, now);
        engine.erasing?.note();
      }),
    eraseDeleted: async () => (await engine.erasing?.eraseNoted()) ?? false,
    rewriteFragments: (id) => change((sql) => rewriteFragments(sql, id, split)),
    close: () => database.close(),
  };
}

import type { ErasedCount, Forgotten } from '@contextloom/contracts';
import type { RelevanceScale } from '@contextloom/retrieval/ranking';
import {
  type IndexedDatabase,
  isDamagedError,
  openIndexedDatabase,
  parseStoredJson,
  withStorageErrors,
} from '@contextloom/sqlite';
import { toEventText } from '../domain/events/events.ts';
import { toProfileText } from '../domain/profile/profile-keys.ts';
import type { BackUpPlan, Hit, MemoryReader, MemoryWriter, Searchable, UserMemory } from '../domain/store.ts';
import { backUpFile } from './backups.ts';
import { createClaimTable } from './claim-table.ts';
import { findDamageAtStart, toDamagedFileError } from './damage.ts';
import { createEntityTable } from './entity-table.ts';
import { createEventTable, toEventSelection } from './event-table.ts';
import { countUser, forgetInFile } from './forget-user.ts';
import { createProfileTable, toProfileSelection } from './profile-table.ts';
import { refuseReferenceDatabase } from './reference-database.ts';
import { createRelationTable } from './relation-table.ts';
import { migrations, toEventIndex, toProfileIndex } from './schema.ts';
import { createSearchIndex, type RowHit } from './search-index.ts';
import { createSourceTable } from './source-table.ts';

/** How a memory file is opened. */
export interface MemoryFileOptions {
  readonly file: string;
  readonly toSearchable: (text: string) => Promise<Searchable>;
  readonly dimensions: number;
  /** Names the embedder. */
  readonly fingerprint: string;
  /** What relevance means with it; words alone count when absent. */
  readonly scale?: RelevanceScale | undefined;
  /** The folder of its backups, for the error of a damaged file. */
  readonly backupFolder: string;
  /** The key of an encrypted file. */
  readonly cipherKey?: string | undefined;
  readonly threads?: number;
  readonly cacheBytes?: number;
}

/** One database with the memories of one user or many. */
export interface MemoryFile {
  of(userId: string): UserMemory;
  users(): readonly string[];
  /** Makes the vectors of texts that were stored while the embedder was out of reach; answers how many. */
  embedWaiting(): Promise<number>;
  /** How many texts wait for that. */
  countWaiting(): number;
  /** Copies it into a folder under its name and the time, if that is due. */
  backUp(options: BackUpPlan): Promise<string | undefined>;
  /** Counts what it has of a user. */
  count(userId: string): readonly ErasedCount[];
  /** Counts what it has of a user, and erases it unless it is a dry run; backups are not looked at. */
  forget(userId: string, isDryRun: boolean): Promise<Forgotten>;
  close(): Promise<void>;
}

const USERS = `SELECT user_id FROM user_profile UNION SELECT user_id FROM profile_history
  UNION SELECT user_id FROM entities UNION SELECT user_id FROM events ORDER BY user_id`;

function createTables({ database }: IndexedDatabase) {
  return {
    profile: createProfileTable(database),
    entities: createEntityTable(database),
    relations: createRelationTable(database),
    events: createEventTable(database),
    claims: createClaimTable(database),
    sources: createSourceTable(database),
  };
}
type Tables = ReturnType<typeof createTables>;

function createIndexes(indexed: IndexedDatabase, { toSearchable, dimensions, fingerprint, scale }: MemoryFileOptions) {
  const readEvent = indexed.database.prepare<[number], { description: string; tags: string; metadata: string }>(
    'SELECT description, tags, metadata FROM events WHERE id = ?',
  );
  const readEntry = indexed.database.prepare<[number], { key: string; value: string; tags: string }>(
    'SELECT key, value, tags FROM user_profile WHERE id = ?',
  );
  const event = createSearchIndex({
    indexed,
    toSearchable,
    scale,
    definition: toEventIndex(dimensions, fingerprint),
    textOf: (id) => {
      const row = readEvent.get(id);
      return row && toEventText({ ...row, tags: parseStoredJson(row.tags), metadata: parseStoredJson(row.metadata) });
    },
  });
  const profile = createSearchIndex({
    indexed,
    toSearchable,
    definition: toProfileIndex(dimensions, fingerprint),
    textOf: (id) => {
      const row = readEntry.get(id);
      return row && toProfileText({ ...row, tags: parseStoredJson(row.tags) });
    },
  });
  return { event, profile, ready: () => Promise.all([event.ready(), profile.ready()]) };
}
type Indexes = ReturnType<typeof createIndexes>;

function createReader(user: string, { profile, entities, relations, events, claims, sources }: Tables): MemoryReader {
  return {
    profile: (filter, page) => withStorageErrors(() => profile.list(user, filter, page)),
    profileKeys: () => withStorageErrors(() => profile.keys(user)),
    history: (key) => withStorageErrors(() => profile.versions(user, key)),
    entities: (filter, page) => withStorageErrors(() => entities.list(user, filter, page)),
    countEntities: (filter) => withStorageErrors(() => entities.count(user, filter)),
    names: () => withStorageErrors(() => entities.names(user)),
    entity: (id) => withStorageErrors(() => entities.get(user, id)),
    relations: (entityId, type) => withStorageErrors(() => relations.list(user, entityId, type)),
    events: (filter, page) => withStorageErrors(() => events.list(user, filter, page)),
    lastEvents: (until) => withStorageErrors(() => events.lastEvents(user, until)),
    allClaims: () => withStorageErrors(() => claims.listAll(user)),
    drawnFrom: (source) => withStorageErrors(() => sources.drawnFrom(user, source)),
    sourcesOf: (derived) => withStorageErrors(() => sources.sourcesOf(user, derived)),
  };
}

function createWriter(user: string, tables: Tables, indexes: Indexes): MemoryWriter {
  const { profile, entities, relations, events, claims, sources } = tables;
  return {
    ...createReader(user, tables),
    putProfile: (entry, text) => indexes.profile.put(profile.put(user, entry), text),
    deleteProfile: (key) => profile.remove(user, key),
    addVersion: (version) => profile.addVersion(user, version),
    deleteHistory: (key, value) => profile.removeVersions(user, key, value),
    addEntity: (entity, id) => entities.add(user, entity, id),
    putEntity: (entity) => entities.put(user, entity),
    addAlias: (entityId, alias) => entities.addAlias(user, entityId, alias),
    addEvent: (event, createdAt, text) => {
      const { row, id } = events.add(user, event, createdAt);
      indexes.event.put(row, text);
      return id;
    },
    putEvent: (event, text) => {
      const row = events.put(user, event);
      if (row !== undefined) indexes.event.put(row, text);
    },
    absorbEntity: (from, into) => entities.absorb(user, from, into),
    deleteEntity: (id) => entities.remove(user, id),
    deleteProfileChanges: (key) => events.removeChanges(user, key),
    deleteEvent: (id) => events.remove(user, id),
    putRelation: (relation) => relations.put(user, relation),
    deleteRelation: (id) => relations.remove(user, id),
    claims: (importId) => claims.list(user, importId),
    isClaimed: (claim) => claims.isClaimed(user, claim),
    addClaim: (importId, claim) => claims.add(user, importId, claim),
    dropClaims: (importId) => claims.drop(user, importId),
    putSources: (derived, all) => sources.put(user, derived, all),
  };
}

/** An open file. */
interface OpenedFile {
  readonly indexed: IndexedDatabase;
  readonly tables: Tables;
  readonly indexes: Indexes;
}

/** Hits with the ids that callers know; rows that were deleted meanwhile are left out. */
function toNamedHits<Id>(
  hits: readonly RowHit[],
  read: (rows: readonly number[]) => ReadonlyMap<number, Id>,
): readonly Hit<Id>[] {
  const ids = withStorageErrors(() => read(hits.map(({ row }) => row)));
  return hits.flatMap(({ row, score }) => {
    const id = ids.get(row);
    return id === undefined ? [] : [{ id, score }];
  });
}

function createUserMemory(user: string, { indexed, tables, indexes }: OpenedFile): UserMemory {
  const writer = createWriter(user, tables, indexes);
  return {
    ...createReader(user, tables),
    change: async (work) => {
      await indexes.ready();
      return indexed.transactions.run(() => work(writer));
    },
    changeInSteps: async (work) => {
      await indexes.ready();
      return indexed.transactions.runInSlices(() => work(writer));
    },
    searchEvents: async (query, filter) => {
      await indexes.ready();
      const { hits, nearest } = await indexes.event.search(query, toEventSelection(user, filter));
      return { hits: toNamedHits(hits, (rows) => tables.events.numbersOf(user, rows)), nearest };
    },
    searchProfile: async (query, category) => {
      await indexes.ready();
      const { hits } = await indexes.profile.search(query, toProfileSelection(user, category));
      return toNamedHits(hits, (rows) => tables.profile.keysOf(user, rows));
    },
  };
}

function openSound({ file, backupFolder, cipherKey, threads, cacheBytes }: MemoryFileOptions): IndexedDatabase {
  const sizes = { ...(threads !== undefined && { threads }), ...(cacheBytes !== undefined && { cacheBytes }) };
  const place = { file, backupFolder };
  refuseReferenceDatabase(file, cipherKey);
  try {
    const indexed = openIndexedDatabase({ file, migrations, cipherKey, ...sizes });
    const damage = findDamageAtStart(indexed.database);
    if (damage === undefined) return indexed;
    indexed.database.close();
    throw toDamagedFileError(damage, place);
  } catch (error) {
    throw isDamagedError(error) ? toDamagedFileError(error, place) : error;
  }
}

/**
 * Opens a memory file; creates a missing one.
 * @throws ContextloomError `unavailable` or `no_space`; for a damaged file it names the newest backup
 */
export function openMemoryFile(options: MemoryFileOptions): MemoryFile {
  const { file } = options;
  const indexed = openSound(options);
  const tables = createTables(indexed);
  const indexes = createIndexes(indexed, options);
  const { database } = indexed;
  const opened = { indexed, tables, indexes };
  const users = database.prepare<[], string>(USERS).pluck();
  return {
    of: (userId) => createUserMemory(userId, opened),
    users: () => withStorageErrors(() => users.all()),
    embedWaiting: async () => (await indexes.event.embedWaiting()) + (await indexes.profile.embedWaiting()),
    countWaiting: () => indexes.event.countWaiting() + indexes.profile.countWaiting(),
    backUp: (options) => backUpFile(database, file, options),
    count: (userId) => countUser(database, userId).filter(({ what, count }) => count > 0 && what !== 'counters'),
    forget: (userId, isDryRun) => forgetInFile({ ...indexed, cipherKey: options.cipherKey }, userId, isDryRun),
    close: () => indexed.close(),
  };
}

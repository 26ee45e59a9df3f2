import { toEntityAddress, toEventAddress } from '../../domain/addresses.ts';
import type { Hit, MemoryReader, MemoryWriter, Searchable, TextQuery, UserMemory } from '../../domain/store.ts';
import { createClaimTable } from './claim-table.ts';
import { createEndTable } from './end-table.ts';
import { createEntityTable } from './entity-table.ts';
import { createEventTable, toEventSelection } from './event-table.ts';
import { createProfileTable, toProfileSelection } from './profile-table.ts';
import type { FoundRows, RowHit } from './rank-rows.ts';
import { createRelationTable } from './relation-table.ts';
import { createSourceTable } from './source-table.ts';
import type { Dialect, Sql, StatementPart } from './sql.ts';

/** The tables of memories over one connection or transaction. */
export function createTables(sql: Sql) {
  return {
    profile: createProfileTable(sql),
    entities: createEntityTable(sql),
    relations: createRelationTable(sql),
    events: createEventTable(sql),
    claims: createClaimTable(sql),
    sources: createSourceTable(sql),
    ends: createEndTable(sql),
  };
}
type Tables = ReturnType<typeof createTables>;

/** The search index of one table. */
export interface RowIndex {
  /** Rebuilds the index if another embedder built it; resolves when it can be searched. */
  readonly ready: () => Promise<void>;
  /** Writes the entry of a row in the transaction that writes the row. */
  readonly put: (sql: Sql, row: number, text: Searchable) => Promise<void>;
  /** Searches the rows that meet a condition on their table. */
  readonly search: (user: string, query: TextQuery, selection: StatementPart) => Promise<FoundRows>;
}

/** Where one user's memory is. */
export interface MemoryDatabase {
  readonly dialect: Dialect;
  readonly read: <T>(user: string, work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Runs work in one transaction; those of one user come one after the other. */
  readonly write: <T>(user: string, work: (sql: Sql) => Promise<T>) => Promise<T>;
  readonly events: RowIndex;
  readonly profile: RowIndex;
  /** Told inside the transaction of what is deleted for good: its bytes are in the file still. */
  readonly noteDeleted?: () => void;
}

/** Runs work with the tables. */
type Run = <T>(work: (tables: Tables) => Promise<T>) => Promise<T>;

function createReader(user: string, run: Run): MemoryReader {
  return {
    profile: (filter, page) => run(({ profile }) => profile.list(user, filter, page)),
    countProfile: (filter) => run(({ profile }) => profile.count(user, filter)),
    profileKeys: () => run(({ profile }) => profile.keys(user)),
    history: (key) => run(({ profile }) => profile.versions(user, key)),
    entities: (filter, page) => run(({ entities }) => entities.list(user, filter, page)),
    countEntities: (filter) => run(({ entities }) => entities.count(user, filter)),
    names: () => run(({ entities }) => entities.names(user)),
    entity: (id) => run(({ entities }) => entities.get(user, id)),
    relations: (entityId, type) => run(({ relations }) => relations.list(user, entityId, type)),
    relation: (id) => run(({ relations }) => relations.get(user, id)),
    events: (filter, page) => run(({ events }) => events.list(user, filter, page)),
    countEvents: (filter) => run(({ events }) => events.count(user, filter)),
    lastEvents: (until) => run(({ events }) => events.lastEvents(user, until)),
    allClaims: () => run(({ claims }) => claims.listAll(user)),
    importsOf: (claim) => run(({ claims }) => claims.importsOf(user, claim)),
    drawnFrom: (source) => run(({ sources }) => sources.drawnFrom(user, source)),
    allSources: () => run(({ sources }) => sources.all(user)),
    sourcesOf: (derived) => run(({ sources }) => sources.sourcesOf(user, derived)),
    ends: () => run(({ ends }) => ends.all(user)),
    endOf: (address) => run(({ ends }) => ends.of(user, address)),
    ended: (now) => run(({ ends }) => ends.ended(user, now)),
    hasEnded: (now) => run(({ ends }) => ends.hasEnded(user, now)),
  };
}

function createWriter(user: string, sql: Sql, indexes: MemoryDatabase): MemoryWriter {
  const tables = createTables(sql);
  const { profile, entities, relations, events, claims, sources, ends } = tables;
  const noted = <T>(deleted: Promise<T>): Promise<T> => {
    indexes.noteDeleted?.();
    return deleted;
  };
  return {
    ...createReader(user, (work) => work(tables)),
    putProfile: async (entry, text) => indexes.profile.put(sql, await profile.put(user, entry), text),
    deleteProfile: (key) => profile.remove(user, key),
    addVersion: (version) => profile.addVersion(user, version),
    deleteHistory: (key, value) => noted(profile.removeVersions(user, key, value)),
    addEntity: (entity, id) => entities.add(user, entity, id),
    putEntity: (entity) => entities.put(user, entity),
    addAlias: (entityId, alias) => entities.addAlias(user, entityId, alias),
    addEvent: async (event, createdAt, text) => {
      const { row, id } = await events.add(user, event, createdAt);
      await indexes.events.put(sql, row, text);
      return id;
    },
    putEvent: async (event, text) => {
      const row = await events.put(user, event);
      if (row !== undefined) await indexes.events.put(sql, row, text);
    },
    absorbEntity: (from, into) => entities.absorb(user, from, into),
    unlinkEntity: (id) => entities.unlink(user, id),
    deleteEntity: async (id) => {
      await ends.put(user, toEntityAddress(id), undefined);
      await noted(entities.remove(user, id));
    },
    deleteProfileChanges: (key) => noted(events.removeChanges(user, key)),
    deleteEvent: async (id) => {
      await ends.put(user, toEventAddress(id), undefined);
      return noted(events.remove(user, id));
    },
    putRelation: (relation) => relations.put(user, relation),
    deleteRelation: (id) => noted(relations.remove(user, id)),
    claims: (importId) => claims.list(user, importId),
    addClaim: (importId, claim) => claims.add(user, importId, claim),
    dropClaims: (importId) => claims.drop(user, importId),
    putSources: (derived, all) => sources.put(user, derived, all),
    putEnd: (address, at) => ends.put(user, address, at),
    addReceipt: (end, now) => ends.addReceipt(user, end, now),
  };
}

/** Hits with the ids that callers know; rows that were deleted meanwhile are left out. */
function toNamedHits<Id>(hits: readonly RowHit[], ids: ReadonlyMap<number, Id>): readonly Hit<Id>[] {
  return hits.flatMap(({ row, score }) => {
    const id = ids.get(row);
    return id === undefined ? [] : [{ id, score }];
  });
}

/** Builds the memory of one user over a database. */
export function createUserMemory(user: string, database: MemoryDatabase): UserMemory {
  const { dialect, events, profile } = database;
  const run: Run = (work) => database.read(user, (sql) => work(createTables(sql)));
  const ready = () => Promise.all([events.ready(), profile.ready()]);
  return {
    ...createReader(user, run),
    change: async (work) => {
      await ready();
      return database.write(user, (sql) => work(createWriter(user, sql, database)));
    },
    searchEvents: async (query, filter) => {
      await ready();
      const { hits, nearest } = await events.search(user, query, toEventSelection(user, filter, dialect));
      const rows = hits.map(({ row }) => row);
      return { hits: toNamedHits(hits, await run((tables) => tables.events.numbersOf(user, rows))), nearest };
    },
    searchProfile: async (query, category) => {
      await ready();
      const { hits } = await profile.search(user, query, toProfileSelection(user, category, dialect));
      const rows = hits.map(({ row }) => row);
      return toNamedHits(hits, await run((tables) => tables.profile.keysOf(user, rows)));
    },
  };
}

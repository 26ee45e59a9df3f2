import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import { createUserStore, LINES } from '../domain/transfer/user-store.ts';
import type { PersonalMemoryDeps } from './deps.ts';
import {
  addEntityAliasOperation,
  createEntityOperation,
  deleteEntityOperation,
  getEntityOperation,
  listEntitiesOperation,
  mergeEntitiesOperation,
  searchEntitiesOperation,
  updateEntityOperation,
} from './entities/entities.ts';
import { resolveEntityOperation } from './entities/resolve-entity.ts';
import { summarizeEntitiesOperation } from './entities/summarize-entities.ts';
import { analyzeTrendsOperation } from './events/analyze-trends.ts';
import {
  addEventOperation,
  deleteEventOperation,
  getEventOperation,
  queryEntityTimelineOperation,
  updateEventOperation,
} from './events/events.ts';
import { searchEventsOperation } from './events/search-events.ts';
import { summarizeEventsOperation } from './events/summarize-events.ts';
import { followChangeOperation } from './follow-change.ts';
import { addGraphOperation, removeImportOperation } from './graph.ts';
import {
  deleteProfileOperation,
  queryProfileHistoryOperation,
  queryProfileOperation,
  rollbackProfileOperation,
  searchProfileOperation,
  updateProfileOperation,
} from './profile.ts';
import {
  createEntityRelationOperation,
  deleteEntityRelationOperation,
  queryEntityRelationsOperation,
} from './relations.ts';
import { exportDataOperation, importDataOperation } from './transfer.ts';

/** Those about relations, which a server can do without. */
export const relationOperations: readonly Operation<PersonalMemoryDeps>[] = [
  createEntityRelationOperation,
  queryEntityRelationsOperation,
  deleteEntityRelationOperation,
];

const ofUsers = defineUserStoreOperations<PersonalMemoryDeps>({
  store: ({ deps }) => createUserStore(deps),
  lines: LINES,
  exports: 'the profile with its history, entities, relations and events',
  erases: 'the profile with its history, the entities, relations and events',
});

/** The operations of a personal memory, in the order that clients see. */
export const operations: readonly Operation<PersonalMemoryDeps>[] = [
  updateProfileOperation,
  queryProfileOperation,
  searchProfileOperation,
  deleteProfileOperation,
  queryProfileHistoryOperation,
  rollbackProfileOperation,
  createEntityOperation,
  updateEntityOperation,
  getEntityOperation,
  listEntitiesOperation,
  searchEntitiesOperation,
  resolveEntityOperation,
  addEntityAliasOperation,
  mergeEntitiesOperation,
  deleteEntityOperation,
  ...relationOperations,
  addEventOperation,
  getEventOperation,
  searchEventsOperation,
  queryEntityTimelineOperation,
  updateEventOperation,
  deleteEventOperation,
  summarizeEntitiesOperation,
  summarizeEventsOperation,
  analyzeTrendsOperation,
  exportDataOperation,
  importDataOperation,
  addGraphOperation,
  removeImportOperation,
  followChangeOperation,
  ...ofUsers,
];

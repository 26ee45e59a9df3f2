import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import { createUserStore, LINES } from '../domain/transfer/user-store.ts';
import type { PersonalMemoryDeps } from './deps.ts';
import { addEntityAliasOperation } from './entities/add-entity-alias.ts';
import { createEntityOperation } from './entities/create-entity.ts';
import { deleteEntityOperation } from './entities/delete-entity.ts';
import { getEntityOperation } from './entities/get-entity.ts';
import { listEntitiesOperation } from './entities/list-entities.ts';
import { mergeEntitiesOperation } from './entities/merge-entities.ts';
import { resolveEntityOperation } from './entities/resolve-entity.ts';
import { searchEntitiesOperation } from './entities/search-entities-by-keywords.ts';
import { summarizeEntitiesOperation } from './entities/summarize-entities.ts';
import { updateEntityOperation } from './entities/update-entity.ts';
import { addEventOperation } from './events/add-event.ts';
import { analyzeTrendsOperation } from './events/analyze-trends.ts';
import { deleteEventOperation } from './events/delete-event.ts';
import { getEventOperation } from './events/get-event.ts';
import { queryEntityTimelineOperation } from './events/query-entity-timeline.ts';
import { searchEventsOperation } from './events/search-events.ts';
import { summarizeEventsOperation } from './events/summarize-events.ts';
import { updateEventOperation } from './events/update-event.ts';
import { addGraphOperation } from './graph/add-graph.ts';
import { removeImportOperation } from './graph/remove-import.ts';
import { deleteProfileOperation } from './profile/delete-profile.ts';
import { queryProfileOperation } from './profile/query-profile.ts';
import { queryProfileHistoryOperation } from './profile/query-profile-history.ts';
import { rollbackProfileOperation } from './profile/rollback-profile.ts';
import { searchProfileOperation } from './profile/search-profile-by-keywords.ts';
import { updateProfileOperation } from './profile/update-profile.ts';
import { createEntityRelationOperation } from './relations/create-entity-relation.ts';
import { deleteEntityRelationOperation } from './relations/delete-entity-relation.ts';
import { queryEntityRelationsOperation } from './relations/query-entity-relations.ts';
import { exportDataOperation } from './transfer/export-data.ts';
import { importDataOperation } from './transfer/import-data.ts';

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
  ...ofUsers,
];

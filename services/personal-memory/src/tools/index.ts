import type { Tool } from '@contextloom/mcp-kit';
import { addEntityAliasTool } from './add-entity-alias.ts';
import { addEventTool } from './add-event.ts';
import { analyzeTrendsTool } from './analyze-trends.ts';
import { createEntityTool } from './create-entity.ts';
import { createEntityRelationTool } from './create-entity-relation.ts';
import { deleteEntityTool } from './delete-entity.ts';
import { deleteEntityRelationTool } from './delete-entity-relation.ts';
import { deleteEventTool } from './delete-event.ts';
import { deleteProfileTool } from './delete-profile.ts';
import { exportDataTool } from './export-data.ts';
import { importDataTool } from './import-data.ts';
import { listEntitiesTool } from './list-entities.ts';
import { mergeEntitiesTool } from './merge-entities.ts';
import { queryEntityRelationsTool } from './query-entity-relations.ts';
import { queryEntityTimelineTool } from './query-entity-timeline.ts';
import { queryProfileTool } from './query-profile.ts';
import { queryProfileHistoryTool } from './query-profile-history.ts';
import { resolveEntityTool } from './resolve-entity.ts';
import { rollbackProfileTool } from './rollback-profile.ts';
import { searchEntitiesTool } from './search-entities-by-keywords.ts';
import { searchEventsTool } from './search-events.ts';
import { searchProfileTool } from './search-profile-by-keywords.ts';
import { summarizeEntitiesTool } from './summarize-entities.ts';
import { summarizeEventsTool } from './summarize-events.ts';
import { updateEntityTool } from './update-entity.ts';
import { updateProfileTool } from './update-profile.ts';
import type { MemoryDeps } from './user-tool.ts';

/** The tools of a personal memory, in the order in which clients list them. */
export function createTools({ hasRelations }: { readonly hasRelations: boolean }): readonly Tool<MemoryDeps>[] {
  return [
    updateProfileTool,
    queryProfileTool,
    searchProfileTool,
    deleteProfileTool,
    queryProfileHistoryTool,
    rollbackProfileTool,
    createEntityTool,
    updateEntityTool,
    listEntitiesTool,
    searchEntitiesTool,
    resolveEntityTool,
    addEntityAliasTool,
    mergeEntitiesTool,
    deleteEntityTool,
    ...(hasRelations ? [createEntityRelationTool, queryEntityRelationsTool, deleteEntityRelationTool] : []),
    addEventTool,
    searchEventsTool,
    queryEntityTimelineTool,
    deleteEventTool,
    summarizeEntitiesTool,
    summarizeEventsTool,
    analyzeTrendsTool,
    exportDataTool,
    importDataTool,
  ];
}

import { useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from '../memories/use-memories.ts';
import type { Entity, Relation } from './entity.ts';

/** Most entities that the room shows; lists of memories show all. */
export const MOST_ENTITIES = 200;
const MOST_RELATIONS = 1_000;

/** The people and things of the user, last changed first. */
export function useEntities() {
  const { call, findTool } = useServer();
  const { user } = useUser();
  const tool = findTool('list_entities');
  return useQuery({
    queryKey: [MEMORIES, user, 'entities'],
    queryFn: async ({ signal }) => {
      const args = { user_id: user, status: 'all', order: 'updated', limit: MOST_ENTITIES };
      return (await call<{ readonly entities: readonly Entity[] }>(tool ?? '', args, { signal })).entities;
    },
    enabled: tool !== undefined,
  });
}

/** What the user's people and things are to each other. */
export function useRelations() {
  const { call, findTool } = useServer();
  const { user } = useUser();
  const tool = findTool('query_entity_relations');
  return useQuery({
    queryKey: [MEMORIES, user, 'relations'],
    queryFn: async ({ signal }) => {
      const args = { user_id: user, limit: MOST_RELATIONS };
      return (await call<{ readonly relations: readonly Relation[] }>(tool ?? '', args, { signal })).relations;
    },
    enabled: tool !== undefined,
  });
}

import { useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from '../memories/use-memories.ts';

/** Most entities that the page shows; lists of memories show all. */
export const MOST_ENTITIES = 200;
const MOST_RELATIONS = 1_000;

/** The people and things of the user, last changed first. */
export function useEntities() {
  const { callServer, offers } = useServer();
  const { user } = useUser();
  return useQuery({
    queryKey: [MEMORIES, user, 'entities'],
    queryFn: async ({ signal }) => {
      const args = { user_id: user, status: 'all', order: 'updated', limit: MOST_ENTITIES };
      return (await callServer('list_entities', args, { signal })).entities;
    },
    enabled: offers('list_entities'),
  });
}

/** What the user's people and things are to each other. */
export function useRelations() {
  const { callServer, offers } = useServer();
  const { user } = useUser();
  return useQuery({
    queryKey: [MEMORIES, user, 'relations'],
    queryFn: async ({ signal }) => {
      const args = { user_id: user, limit: MOST_RELATIONS };
      return (await callServer('query_entity_relations', args, { signal })).relations;
    },
    enabled: offers('query_entity_relations'),
  });
}

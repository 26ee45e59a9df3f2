import { useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { toVoices } from '../memories/conversation-text.ts';
import { MEMORIES } from '../memories/use-memories.ts';
import { toRelatives } from './relatives.ts';

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

/** How many pages of the newest memories are read for who speaks and who is named there. */
const VOICE_PAGES = 5;

/** Who speaks and who is named in the newest memories, most often first, without a model. */
export function usePeople() {
  const { call } = useServer();
  const { user } = useUser();
  return useQuery({
    queryKey: [MEMORIES, user, 'people'],
    queryFn: async ({ signal }) => {
      const texts: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < VOICE_PAGES; page += 1) {
        const where = { limit: 100, order: 'newest' as const, ...(cursor !== undefined && { cursor }) };
        const answer = await call('list_memories', { user_id: user, kind: 'note', ...where }, { signal });
        texts.push(...answer.memories.map(({ text }) => text));
        cursor = answer.next_cursor;
        if (cursor === undefined) break;
      }
      return { voices: toVoices(texts), relatives: toRelatives(texts, user) };
    },
  });
}

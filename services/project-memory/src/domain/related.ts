import { ContextloomError } from '@contextloom/contracts';
import type { Link, LinkPattern, LinkStore, Related } from './links.ts';
import type { Reach } from './project.ts';
import type { MemoryStore } from './store.ts';

/** Links between the memories of one owner, and what they lead to. */
export interface RelatedMemories {
  /** @throws ContextloomError `not_found` when one of the memories is not there, `invalid` for a memory and itself */
  readonly link: (link: Link) => Promise<'created' | 'exists'>;
  readonly unlink: (pattern: LinkPattern) => Promise<number>;
  /**
   * What is linked with a memory, in both directions.
   * @throws ContextloomError `not_found`
   */
  readonly links: (id: string) => Promise<readonly Related[]>;
  /** What is linked with memories; of few memories also what is near to them and not linked. */
  readonly relatedTo: (ids: readonly string[], nearest: 'with nearest' | 'linked alone') => Promise<readonly Related[]>;
}

/** From this cosine on, the nearest memories of a project are shown as similar. */
const SIMILAR = 0.5;
/** How many of them. */
const MAX_SIMILAR = 3;

/** Builds the links within one reach over a store. */
export function createRelated(reach: Reach, store: LinkStore & Pick<MemoryStore, 'get'>): RelatedMemories {
  const missing = (message: string, field: string) => new ContextloomError('not_found', message, { field });
  return {
    link: async (link) => {
      const { fromId, toId } = link;
      if (fromId === toId) {
        throw new ContextloomError('invalid', 'to_id must be another memory than from_id', { field: 'to_id' });
      }
      const outcome = await store.link(reach, link);
      if (outcome !== 'missing') return outcome;
      throw missing(`there is no memory ${fromId}, or none ${toId}`, 'from_id');
    },
    unlink: (pattern) => store.unlink(reach, pattern),
    links: async (id) => {
      const linked = await store.linked(reach, [id]);
      if (linked.length > 0 || (await store.get(reach, [id])).length > 0) return linked;
      throw missing(`there is no memory ${id}`, 'id');
    },
    relatedTo: async (ids, nearest) => {
      const linked = await store.linked(reach, ids);
      if (nearest === 'linked alone') return linked;
      const known = new Set(linked.map(({ ofId, id }) => `${ofId} ${id}`));
      const similar = await store.similar(reach, ids, SIMILAR, MAX_SIMILAR);
      return [...linked, ...similar.filter(({ ofId, id }) => !known.has(`${ofId} ${id}`))];
    },
  };
}

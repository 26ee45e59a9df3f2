import { isContextloomError, MAX_GRAPH_PART } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { GraphBatch, GraphStore } from '../domain/graph-store.ts';
import type { PeopleStore } from '../domain/people/people-store.ts';

/** As much as one call takes: entities before the relations that name them. */
function* toBatches({ entities, relations }: GraphBatch): Generator<GraphBatch> {
  for (let at = 0; at < entities.length; at += MAX_GRAPH_PART)
    yield { entities: entities.slice(at, at + MAX_GRAPH_PART), relations: [] };
  for (let at = 0; at < relations.length; at += MAX_GRAPH_PART)
    yield { entities: [], relations: relations.slice(at, at + MAX_GRAPH_PART) };
}

/** Keeps people where graphs are kept. What that store does not take is logged. */
export function createGraphPeople(graph: Pick<GraphStore, 'add'>, log: Log): PeopleStore {
  return {
    keep: async (userId, broughtBy, people) => {
      try {
        for (const batch of toBatches(people)) {
          const answer = await graph.add(userId, broughtBy, batch);
          if (!('refused' in answer)) continue;
          log.debug({ reason: answer.refused }, 'people who are named are not kept');
          return false;
        }
        return true;
      } catch (error) {
        if (!isContextloomError(error)) throw error;
        log.warn({ err: error }, 'people who are named could not be kept: reading the conversation again finds them');
        return true;
      }
    },
  };
}

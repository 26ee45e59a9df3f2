import { z } from 'zod';
import { chooseMemories, type StoredMemory } from '../../domain/stores/stored-memory.ts';
import { type Answer, bySchema } from './ask-store.ts';
import { type Change, type MemoryStore, mapAnswer, type StoreContext, toOffset } from './memory-store.ts';

/** The service of profile, entities and events. */
export const PERSONAL_MEMORY = 'personal-memory';
/** Most facts and entities of which the fitting ones are chosen here: personal memory finds these by keywords alone. */
const MOST_READ = 1_000;
/** The most events of a page that personal memory lists unless it is set up otherwise. */
const MOST_EVENTS = 100;

const nextField = { next_offset: z.int().optional() };
const profileSchema = z.object({
  profile: z.array(z.object({ key: z.string(), value: z.string(), updated_at: z.string() })),
  ...nextField,
});
const entitiesSchema = z.object({
  entities: z.array(
    z.object({
      id: z.int(),
      entity_type: z.string(),
      name: z.string().nullish(),
      attributes: z.record(z.string(), z.unknown()),
      updated_at: z.string(),
    }),
  ),
  ...nextField,
});
const eventsSchema = z.object({
  events: z.array(
    z.object({ id: z.int(), description: z.string(), timestamp: z.string(), relevance_score: z.number().optional() }),
  ),
  ...nextField,
});
const updatedSchema = z.object({ updated: z.boolean() });
const deletedSchema = z.object({ deleted: z.boolean() });

type Read<T> = (page: object) => Promise<Answer<T>>;
interface Listed {
  readonly memories: readonly StoredMemory[];
  readonly next_offset?: number | undefined;
}

/** Lists page by page, and finds by choosing among as many as one call lists. */
function toReading(
  read: Read<Listed>,
  kind: 'fact' | 'entity',
): Pick<MemoryStore, 'kind' | 'service' | 'recall' | 'list'> {
  return {
    ...{ kind, service: PERSONAL_MEMORY },
    recall: ({ query, limit }) =>
      mapAnswer(read({ limit: MOST_READ }), ({ memories }) => chooseMemories(query, memories, limit)),
    list: ({ limit, cursor }) => mapAnswer(read({ limit, offset: toOffset(cursor) }), toPage),
  };
}

function toPage({ memories, next_offset: next }: Listed) {
  return { memories, next: next === undefined ? undefined : String(next) };
}

/** Calls a tool of personal memory that changes something. */
const toChanging =
  ({ ask, userId: user_id }: StoreContext, schema: z.ZodType<{ updated?: boolean; deleted?: boolean }>) =>
  (tool: string, args: object): Change =>
    mapAnswer(
      ask({ service: PERSONAL_MEMORY, tool, args: { ...args, user_id }, read: bySchema(schema) }),
      ({ updated, deleted }) => updated ?? deleted ?? false,
    );

/** The facts of a user's profile. */
export function openFacts(context: StoreContext): MemoryStore {
  const { ask, userId: user_id } = context;
  const read: Read<Listed> = (page) =>
    mapAnswer(
      ask({
        service: PERSONAL_MEMORY,
        tool: 'query_profile',
        args: { ...page, user_id },
        read: bySchema(profileSchema),
      }),
      ({ profile, next_offset }) => ({
        memories: profile.map(({ key, value, updated_at }) => ({
          ...{ own: key, text: `${key.replaceAll('_', ' ')}: ${value}`, time: updated_at },
        })),
        next_offset,
      }),
    );
  const isKnown = (key: string): Change =>
    mapAnswer(
      ask({
        ...{ service: PERSONAL_MEMORY, tool: 'query_profile', read: bySchema(profileSchema) },
        args: { keys: [key], user_id },
      }),
      ({ profile }) => profile.length > 0,
    );
  return {
    ...toReading(read, 'fact'),
    update: async (key, value) => {
      const known = await isKnown(key);
      if (known.kind === 'failed' || !known.value) return known;
      return toChanging(context, updatedSchema)('update_profile', { key, value });
    },
    remove: (key) => toChanging(context, deletedSchema)('delete_profile', { key, erase_history: true }),
  };
}

/** The pets, people and things of a user. */
export function openEntities(context: StoreContext): MemoryStore {
  const { ask, userId: user_id } = context;
  const read: Read<Listed> = (page) =>
    mapAnswer(
      ask({
        ...{ service: PERSONAL_MEMORY, tool: 'list_entities', read: bySchema(entitiesSchema) },
        args: { ...page, user_id },
      }),
      ({ entities, next_offset }) => ({
        memories: entities.map(({ id, entity_type, name, attributes, updated_at }) => ({
          ...{ own: String(id), text: toEntityText(entity_type, name ?? '', attributes), time: updated_at },
        })),
        next_offset,
      }),
    );
  return {
    ...toReading(read, 'entity'),
    update: (own, name) =>
      changeNumbered(own, (entity_id) => toChanging(context, updatedSchema)('update_entity', { entity_id, name })),
    remove: (own) =>
      changeNumbered(own, (entity_id) => toChanging(context, deletedSchema)('delete_entity', { entity_id })),
  };
}

function toEntityText(type: string, name: string, attributes: Readonly<Record<string, unknown>>): string {
  const more = Object.entries(attributes).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`${name === '' ? 'unnamed' : name} (${type})`, ...more].join(', ');
}

/** Changes what a number names; any other text names nothing. */
async function changeNumbered(own: string, change: (id: number) => Change): Change {
  return /^[1-9]\d{0,14}$/u.test(own) ? change(Number(own)) : { kind: 'ok', value: false };
}

/** What happened to a user. */
export function openEvents(context: StoreContext): MemoryStore {
  const { ask, userId: user_id } = context;
  const read: Read<z.output<typeof eventsSchema>> = (args) =>
    ask({
      ...{ service: PERSONAL_MEMORY, tool: 'search_events', read: bySchema(eventsSchema) },
      args: { ...args, user_id },
    });
  const toMemory = ({ id, description: text, timestamp: time }: z.output<typeof eventsSchema>['events'][number]) => ({
    ...{ own: String(id), text, time },
  });
  return {
    ...{ kind: 'event', service: PERSONAL_MEMORY },
    recall: ({ query, limit }) =>
      mapAnswer(read({ query, limit: Math.min(limit, MOST_EVENTS) }), ({ events }) =>
        events.map((event) => ({ ...toMemory(event), score: event.relevance_score ?? 0 })),
      ),
    list: ({ limit, cursor }) =>
      mapAnswer(read({ limit: Math.min(limit, MOST_EVENTS), offset: toOffset(cursor) }), ({ events, next_offset }) =>
        toPage({ memories: events.map(toMemory), next_offset }),
      ),
    update: (own, description) =>
      changeNumbered(own, (event_id) => toChanging(context, updatedSchema)('update_event', { event_id, description })),
    remove: (own) =>
      changeNumbered(own, (event_id) => toChanging(context, deletedSchema)('delete_event', { event_id })),
  };
}

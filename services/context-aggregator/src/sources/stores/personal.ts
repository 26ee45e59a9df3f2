import type { JsonObject } from '@contextloom/contracts';
import { z } from 'zod';
import { toAttributeWords } from '../../domain/stores/attribute-words.ts';
import { chooseMemories, type StoredMemory } from '../../domain/stores/stored-memory.ts';
import { type Answer, bySchema } from './ask-store.ts';
import { removeSentence } from './fact-sentence.ts';
import {
  type Change,
  type Got,
  type ListFilter,
  type MemoryStore,
  mapAnswer,
  type Narrowing,
  type StoreContext,
  toEnds,
  toGot,
  toOffset,
} from './memory-store.ts';

/** The service of profile, entities and events. */
export const PERSONAL_MEMORY = 'personal-memory';
/** Most facts and entities of which the fitting ones are chosen here: personal memory finds these by keywords alone. */
const MOST_READ = 1_000;
/** The most events of a page that personal memory lists unless it is set up otherwise. */
const MOST_EVENTS = 100;

const nextField = { next_offset: z.int().optional() };
const profileSchema = z.object({
  profile: z.array(z.looseObject({ key: z.string(), value: z.string(), updated_at: z.string() })),
  ...nextField,
});
const historySchema = z.object({ versions: z.array(z.looseObject({ value: z.string() })) });
const entitySchema = z.looseObject({
  id: z.int(),
  entity_type: z.string(),
  name: z.string().nullish(),
  attributes: z.record(z.string(), z.unknown()),
  updated_at: z.string(),
});
const entitiesSchema = z.object({ entities: z.array(entitySchema), ...nextField });
const eventSchema = z.looseObject({
  id: z.int(),
  description: z.string(),
  timestamp: z.string(),
  relevance_score: z.number().optional(),
});
const eventsSchema = z.object({ events: z.array(eventSchema), ...nextField });
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
    kind,
    service: PERSONAL_MEMORY,
    recall: ({ query, limit, filter }) =>
      mapAnswer(read({ limit: MOST_READ, ...toNarrowed(filter) }), ({ memories }) =>
        chooseMemories(query, memories, limit),
      ),
    list: ({ limit, cursor, filter }) =>
      mapAnswer(read({ limit, offset: toOffset(cursor), ...toNarrowed(filter), ...toOrder(filter) }), toPage),
  };
}

/** What personal memory narrows its lists by. */
function toNarrowed({ tag, range }: Narrowing = {}): JsonObject {
  const { since = '', until = '' } = toEnds(range);
  return { ...(tag !== undefined && { tag }), ...(since + until !== '' && { time_range: `${since}..${until}` }) };
}

/** Facts and entities have the time of their last change. */
const toOrder = ({ order }: ListFilter = {}): JsonObject => (order === 'newest' ? { order: 'updated' } : {});

function toPage({ memories, next_offset: next }: Listed) {
  return { memories, next: next === undefined ? undefined : String(next) };
}

/** Calls a tool of personal memory that changes something. */
const toChanging =
  ({ ask, userId: user_id }: StoreContext, schema: z.ZodType<{ updated?: boolean; deleted?: boolean }>) =>
  (tool: string, args: object): Change =>
    mapAnswer(
      ask({ service: PERSONAL_MEMORY, tool, args: { ...args, user_id }, isChange: true, read: bySchema(schema) }),
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
      ({ profile, next_offset }) => ({ memories: profile.map(toFact), next_offset }),
    );
  const find = (key: string): Got =>
    mapAnswer(
      ask({
        service: PERSONAL_MEMORY,
        tool: 'query_profile',
        read: bySchema(profileSchema),
        args: { keys: [key], user_id },
      }),
      ({ profile: [fact] }) => fact && { ...toFact(fact), details: fact },
    );
  return {
    ...toReading(read, 'fact'),
    get: async (key) => {
      const found = await find(key);
      if (found.kind === 'failed' || found.value === undefined) return found;
      const { value: fact } = found;
      const history = ask({
        service: PERSONAL_MEMORY,
        tool: 'query_profile_history',
        read: bySchema(historySchema),
        args: { key, user_id },
      });
      return mapAnswer(history, ({ versions }) => ({ ...fact, details: { ...fact.details, versions } }));
    },
    update: async (key, value) => {
      const known = await find(key);
      if (known.kind === 'failed') return known;
      if (known.value === undefined) return { kind: 'ok', value: false };
      // What the fact was made of says otherwise now: it goes first, so that a fact never stands against its own sentence.
      const gone = await removeSentence(key, context);
      if (gone.kind === 'failed') return gone;
      return toChanging(context, updatedSchema)('update_profile', { key, value });
    },
    remove: async (key) => {
      const gone = await removeSentence(key, context);
      if (gone.kind === 'failed') return gone;
      return toChanging(context, deletedSchema)('delete_profile', { key, erase_history: true });
    },
  };
}

const toFact = ({ key, value, updated_at: time }: z.output<typeof profileSchema>['profile'][number]): StoredMemory => ({
  own: key,
  text: `${key.replaceAll('_', ' ')}: ${value}`,
  time,
  askedBy: toAttributeWords(key),
});

/** The pets, people and things of a user. */
export function openEntities(context: StoreContext): MemoryStore {
  const { ask, userId: user_id } = context;
  const read: Read<Listed> = (page) =>
    mapAnswer(
      ask({
        service: PERSONAL_MEMORY,
        tool: 'list_entities',
        read: bySchema(entitiesSchema),
        args: { ...page, user_id },
      }),
      ({ entities, next_offset }) => ({ memories: entities.map(toThing), next_offset }),
    );
  return {
    ...toReading(read, 'entity'),
    get: (own) =>
      getNumbered(own, (entity_id) => {
        const read = bySchema(z.object({ entity: entitySchema }));
        const answer = ask({ service: PERSONAL_MEMORY, tool: 'get_entity', args: { entity_id, user_id }, read });
        return toGot(answer, ({ entity }) => ({ ...toThing(entity), details: entity }));
      }),
    update: (own, name) =>
      changeNumbered(own, (entity_id) => toChanging(context, updatedSchema)('update_entity', { entity_id, name })),
    remove: (own) =>
      changeNumbered(own, (entity_id) => toChanging(context, deletedSchema)('delete_entity', { entity_id })),
  };
}

const toThing = (entity: z.output<typeof entitySchema>): StoredMemory => ({
  own: String(entity.id),
  time: entity.updated_at,
  text: toEntityText(entity.entity_type, entity.name ?? '', entity.attributes),
});

function toEntityText(type: string, name: string, attributes: Readonly<Record<string, unknown>>): string {
  const more = Object.entries(attributes).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`${name === '' ? 'unnamed' : name} (${type})`, ...more].join(', ');
}

const isNumber = (own: string): boolean => /^[1-9]\d{0,14}$/u.test(own);

/** Reads what a number names; any other text names nothing. */
async function getNumbered(own: string, get: (id: number) => Got): Got {
  return isNumber(own) ? get(Number(own)) : { kind: 'ok', value: undefined };
}

/** Changes what a number names; any other text names nothing. */
async function changeNumbered(own: string, change: (id: number) => Change): Change {
  return isNumber(own) ? change(Number(own)) : { kind: 'ok', value: false };
}

/** What happened to a user. */
export function openEvents(context: StoreContext): MemoryStore {
  const { ask, userId: user_id } = context;
  const read: Read<z.output<typeof eventsSchema>> = (args) =>
    ask({
      service: PERSONAL_MEMORY,
      tool: 'search_events',
      read: bySchema(eventsSchema),
      args: { ...args, user_id },
    });
  const toMemory = ({ id, description: text, timestamp: time }: z.output<typeof eventSchema>) => ({
    own: String(id),
    text,
    time,
  });
  return {
    kind: 'event',
    service: PERSONAL_MEMORY,
    recall: ({ query, limit, filter }) =>
      mapAnswer(read({ query, limit: Math.min(limit, MOST_EVENTS), ...toNarrowed(filter) }), ({ events }) =>
        events.map((event) => ({ ...toMemory(event), score: event.relevance_score ?? 0 })),
      ),
    list: ({ limit, cursor, filter }) =>
      mapAnswer(
        read({ limit: Math.min(limit, MOST_EVENTS), offset: toOffset(cursor), ...toNarrowed(filter) }),
        ({ events, next_offset }) => toPage({ memories: events.map(toMemory), next_offset }),
      ),
    get: (own) =>
      getNumbered(own, (event_id) => {
        const read = bySchema(z.object({ event: eventSchema }));
        const answer = ask({ service: PERSONAL_MEMORY, tool: 'get_event', args: { event_id, user_id }, read });
        return toGot(answer, ({ event }) => ({ ...toMemory(event), details: event }));
      }),
    update: (own, description) =>
      changeNumbered(own, (event_id) => toChanging(context, updatedSchema)('update_event', { event_id, description })),
    remove: (own) =>
      changeNumbered(own, (event_id) => toChanging(context, deletedSchema)('delete_event', { event_id })),
  };
}

import { type InputOf, readOnly } from '@contextloom/contracts';
import { type PersonalMemoryContract, personalMemory } from '@contextloom/contracts/personal-memory';
import type { z } from 'zod';
import { toAttributeWords } from '../../domain/stores/attribute-words.ts';
import { chooseMemories, type StoredMemory } from '../../domain/stores/stored-memory.ts';
import { type Answer, bySchema, type StoreCall, toQuestion } from './ask-store.ts';
import { removeSentence } from './fact-sentence.ts';
import {
  type Change,
  type Got,
  type ListFilter,
  type MemoryStore,
  mapAnswer,
  type Narrowing,
  type StoreContext,
  type StoredPage,
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

const page = { next_offset: true, total: true } as const;
const profileSchema = readOnly(personalMemory.query_profile.output, {
  profile: { key: true, value: true, updated_at: true },
  ...page,
});
const historySchema = readOnly(personalMemory.query_profile_history.output, { versions: { value: true } });
const entity = { id: true, entity_type: true, name: true, attributes: true, updated_at: true } as const;
const entitySchema = readOnly(personalMemory.get_entity.output, { entity });
const entitiesSchema = readOnly(personalMemory.list_entities.output, { entities: entity, ...page });
const event = { id: true, description: true, timestamp: true, relevance_score: true } as const;
const eventSchema = readOnly(personalMemory.get_event.output, { event });
const eventsSchema = readOnly(personalMemory.search_events.output, { events: event, ...page });
const updatedSchema = readOnly(personalMemory.update_profile.output, { updated: true });
const deletedSchema = readOnly(personalMemory.delete_profile.output, { deleted: true });
const question = toQuestion<PersonalMemoryContract>(PERSONAL_MEMORY);

/** What a list is narrowed to and ordered by, as every list of personal memory takes it. */
type Page = Pick<InputOf<PersonalMemoryContract, 'list_entities'>, 'limit' | 'offset' | 'tag' | 'time_range' | 'order'>;
type Read<T> = (page: Page) => Promise<Answer<T>>;
interface Listed {
  readonly memories: readonly StoredMemory[];
  readonly next_offset?: number | undefined;
  readonly total?: number | undefined;
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
function toNarrowed({ tag, range }: Narrowing = {}): Pick<Page, 'tag' | 'time_range'> {
  const { since = '', until = '' } = toEnds(range);
  return { ...(tag !== undefined && { tag }), ...(since + until !== '' && { time_range: `${since}..${until}` }) };
}

/** Facts and entities have the time of their last change. */
const toOrder = ({ order }: ListFilter = {}): Pick<Page, 'order'> => (order === 'newest' ? { order: 'updated' } : {});

/** A page, of which the only one of its list says by itself how many there are. */
function toPage({ memories, next_offset: next, total = memories.length }: Listed): StoredPage {
  return { memories, total, next: next === undefined ? undefined : String(next) };
}

type Question = Pick<StoreCall<unknown>, 'service' | 'tool' | 'args'>;

/** Asks for a change that tells whether there was something to change. */
const update = ({ ask }: StoreContext, request: Question): Change =>
  mapAnswer(ask({ ...request, isChange: true, read: bySchema(updatedSchema) }), ({ updated }) => updated && []);

/** Asks for a deletion that tells whether there was something to delete. */
const remove = ({ ask }: StoreContext, request: Question): Change =>
  mapAnswer(ask({ ...request, isChange: true, read: bySchema(deletedSchema) }), ({ deleted }) => deleted && []);

/** The facts of a user's profile. */
export function openFacts(context: StoreContext): MemoryStore {
  const { ask, userId: user_id } = context;
  const read: Read<Listed> = (page) =>
    mapAnswer(
      ask({ ...question('query_profile', { ...page, user_id }), read: bySchema(profileSchema) }),
      ({ profile, ...rest }) => ({ ...rest, memories: profile.map(toFact) }),
    );
  const find = (key: string): Got =>
    mapAnswer(
      ask({ ...question('query_profile', { keys: [key], user_id }), read: bySchema(profileSchema) }),
      ({ profile: [fact] }) => fact && { ...toFact(fact), details: fact },
    );
  return {
    ...toReading(read, 'fact'),
    get: async (key) => {
      const found = await find(key);
      if (found.kind === 'failed' || found.value === undefined) return found;
      const { value: fact } = found;
      const history = ask({ ...question('query_profile_history', { key, user_id }), read: bySchema(historySchema) });
      return mapAnswer(history, ({ versions }) => ({ ...fact, details: { ...fact.details, versions } }));
    },
    update: async (key, value) => {
      const known = await find(key);
      if (known.kind === 'failed') return known;
      if (known.value === undefined) return { kind: 'ok', value: false };
      // What the fact was made of says otherwise now: it goes first, so that a fact never stands against its own sentence.
      const gone = await removeSentence(key, context);
      if (gone.kind === 'failed') return gone;
      return update(context, question('update_profile', { key, value, user_id }));
    },
    remove: async (key) => {
      const gone = await removeSentence(key, context);
      if (gone.kind === 'failed') return gone;
      return remove(context, question('delete_profile', { key, erase_history: true, user_id }));
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
      ask({ ...question('list_entities', { ...page, user_id }), read: bySchema(entitiesSchema) }),
      ({ entities, ...rest }) => ({ ...rest, memories: entities.map(toThing) }),
    );
  return {
    ...toReading(read, 'entity'),
    get: (own) =>
      getNumbered(own, (entity_id) => {
        const answer = ask({ ...question('get_entity', { entity_id, user_id }), read: bySchema(entitySchema) });
        return toGot(answer, ({ entity }) => ({ ...toThing(entity), details: entity }));
      }),
    update: (own, name) =>
      changeNumbered(own, (entity_id) => update(context, question('update_entity', { entity_id, name, user_id }))),
    remove: (own) =>
      changeNumbered(own, (entity_id) => remove(context, question('delete_entity', { entity_id, user_id }))),
  };
}

const toThing = (entity: z.output<typeof entitySchema>['entity']): StoredMemory => ({
  own: String(entity.id),
  time: entity.updated_at,
  text: toEntityText(entity.entity_type, entity.name ?? '', entity.attributes),
});

/** Of somebody who is a sister that is said, and not that she is a person. */
function toEntityText(type: string, name: string, attributes: Readonly<Record<string, unknown>>): string {
  const { kind, ...others } = attributes;
  const more = Object.entries(others).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`${name === '' ? 'unnamed' : name} (${typeof kind === 'string' ? kind : type})`, ...more].join(', ');
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
  const read = (args: Omit<InputOf<PersonalMemoryContract, 'search_events'>, 'user_id'>) =>
    ask({ ...question('search_events', { ...args, user_id }), read: bySchema(eventsSchema) });
  const toMemory = ({ id, description: text, timestamp: time }: z.output<typeof eventSchema>['event']) => ({
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
        ({ events, ...rest }) => toPage({ ...rest, memories: events.map(toMemory) }),
      ),
    get: (own) =>
      getNumbered(own, (event_id) => {
        const answer = ask({ ...question('get_event', { event_id, user_id }), read: bySchema(eventSchema) });
        return toGot(answer, ({ event }) => ({ ...toMemory(event), details: event }));
      }),
    update: (own, description) =>
      changeNumbered(own, (event_id) => update(context, question('update_event', { event_id, description, user_id }))),
    remove: (own) =>
      changeNumbered(own, (event_id) => remove(context, question('delete_event', { event_id, user_id }))),
  };
}

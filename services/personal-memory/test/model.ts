import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { connect, createClock, makeFolder, openStore, removeFolder, type Scheme } from './support/memory.ts';

// The seed's rules over plain arrays, one user at a time; ids are those that the memory gave.
interface ModelEvent {
  readonly id: number;
  readonly type: string;
  readonly description: string;
  readonly time: number;
  readonly entityIds: readonly number[];
  readonly importance: number;
}
interface ModelEntity {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  status: string;
  attributes: Record<string, unknown>;
}
function createModel() {
  return { profile: new Map<string, string>(), entities: [] as ModelEntity[], events: [] as ModelEvent[] };
}
type Model = ReturnType<typeof createModel>;

const words = ['旺财', '生病', 'walk', 'piano', '茶'];
const users = ['ann', 'eve'];
const types = ['illness', 'activity'];
const months = ['2025-08', '2025-09', '2025-10'];

const step = fc.record({
  user: fc.constantFrom(...users),
  kind: fc.constantFrom('put', 'drop', 'entity', 'merge', 'retire', 'event', 'event', 'remove', 'ask', 'ask', 'reopen'),
  word: fc.constantFrom(...words),
  other: fc.constantFrom(...words),
  type: fc.constantFrom(...types),
  month: fc.constantFrom(...months),
  day: fc.integer({ min: 1, max: 28 }),
  pick: fc.array(fc.nat(3), { maxLength: 3 }),
  importance: fc.constantFrom(0, 0.5, 1),
});
type Step = Parameters<Parameters<typeof fc.property<[typeof step extends fc.Arbitrary<infer T> ? T : never]>>[1]>[0];

const newestFirst = (a: ModelEvent, b: ModelEvent): number => b.time - a.time || b.id - a.id;
const namesOf = (model: Model, ids: readonly number[]): readonly string[] =>
  model.entities.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
/** Without the events that tell how a fact changed, which the model does not keep. */
const withoutChanges = (list: unknown) =>
  (list as { tags: string[] }[]).filter(({ tags }) => !tags.includes('profile'));
const idsOf = (list: unknown): readonly number[] => (list as { id: number }[]).map(({ id }) => id);

/** Asks the memory what the model knows. */
async function compare(
  ask: (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>,
  model: Model,
  { word, type, month }: Step,
): Promise<void> {
  const expectEvents = async (args: Record<string, unknown>, test: (event: ModelEvent) => boolean): Promise<void> => {
    const { events } = await ask('search_events', { ...args, limit: 100 });
    expect([args, idsOf(withoutChanges(events))]).toEqual([
      args,
      model.events
        .filter(test)
        .sort(newestFirst)
        .map(({ id }) => id),
    ]);
  };
  const { profile } = await ask('query_profile');
  expect(new Map((profile as { key: string; value: string }[]).map(({ key, value }) => [key, value]))).toEqual(
    model.profile,
  );
  const { entities } = await ask('list_entities', { status: 'all' });
  expect((entities as ModelEntity[]).map(({ id, status, attributes }) => ({ id, status, attributes }))).toEqual(
    model.entities.map(({ id, status, attributes }) => ({ id, status, attributes })),
  );
  await expectEvents({}, () => true);
  await expectEvents({ event_type: type, time_range: month }, (event) => {
    return event.type === type && new Date(event.time).toISOString().startsWith(month);
  });
  await expectEvents({ keywords: [word] }, ({ description, entityIds }) =>
    [...description.split(' '), ...namesOf(model, entityIds)].includes(word),
  );
  for (const { id } of model.entities) {
    const { events } = await ask('query_entity_timeline', { entity_id: id, limit: 100 });
    const own = model.events.filter(({ entityIds }) => entityIds.includes(id)).sort(newestFirst);
    expect((events as ModelEvent[]).map((event) => [event.id, event.importance])).toEqual(
      own.map((event) => [event.id, event.importance]),
    );
  }
}

type Ask = Parameters<typeof compare>[0];

/** Does a step to the memory and to the model. */
async function perform(ask: Ask, model: Model, one: Step): Promise<void> {
  const { kind, word, other, type, month, day, pick, importance } = one;
  const entity = model.entities[pick[0] ?? 0];
  if (kind === 'put') {
    const previous = model.profile.get(word) ?? null;
    expect(await ask('update_profile', { key: word, value: other })).toMatchObject({ previous_value: previous });
    model.profile.set(word, other);
  } else if (kind === 'drop') {
    expect(await ask('delete_profile', { key: word })).toMatchObject({ deleted: model.profile.delete(word) });
  } else if (kind === 'entity') {
    const { entity_id: id } = await ask('create_entity', { entity_type: 'pet', name: word, attributes: { a: other } });
    model.entities.push({ id: Number(id), type: 'pet', name: word, status: 'active', attributes: { a: other } });
  } else if (kind === 'merge' && entity !== undefined) {
    await ask('update_entity', { entity_id: entity.id, attributes: { a: null, [word]: day } });
    const { a: _a, ...rest } = entity.attributes;
    entity.attributes = { ...rest, [word]: day };
  } else if (kind === 'retire' && entity !== undefined) {
    expect(await ask('delete_entity', { entity_id: entity.id })).toMatchObject({ deleted: entity.status === 'active' });
    entity.status = 'inactive';
  } else if (kind === 'event') {
    const entityIds = [...new Set(pick.flatMap((at) => model.entities[at]?.id ?? []))];
    const timestamp = `${month}-${String(day).padStart(2, '0')}`;
    const description = `${word} ${other}`;
    const event = { event_type: type, description, timestamp, related_entity_ids: entityIds, importance };
    const { event_id } = await ask('add_event', event);
    model.events.push({ id: Number(event_id), type, description, time: Date.parse(timestamp), entityIds, importance });
  } else if (kind === 'remove') {
    const at = pick[0] ?? 0;
    const id = model.events[at]?.id ?? 999_999;
    expect(await ask('delete_event', { event_id: id })).toMatchObject({ deleted: at < model.events.length });
    model.events.splice(at, 1);
  } else await compare(ask, model, one);
}

async function run(scheme: Scheme, steps: readonly Step[]): Promise<void> {
  const folder = makeFolder();
  const clock = createClock();
  let store = openStore(folder, scheme);
  let client = await connect(store, { userId: undefined, clock });
  const models = new Map(users.map((user) => [user, createModel()]));
  const toAsk =
    (user: string): Ask =>
    (tool, args = {}) =>
      client.ask(tool, { ...args, user_id: user });
  try {
    for (const one of [...steps, ...users.map((user) => ({ ...steps[0], user, kind: 'ask' }) as Step)]) {
      const model = models.get(one.user);
      if (one.word === undefined || model === undefined) continue;
      if (one.kind === 'reopen') {
        await client.close();
        await store.close();
        store = openStore(folder, scheme);
        client = await connect(store, { userId: undefined, clock });
      } else await perform(toAsk(one.user), model, one);
    }
    const exported = (await toAsk('ann')('export_data'))['data'];
    await toAsk('copy')('import_data', { format: 'json', data: exported });
    expect(isDeepStrictEqual((await toAsk('copy')('export_data'))['data'], exported)).toBe(true);
  } finally {
    await client.close();
    await store.close();
    removeFolder(folder);
  }
}

/** Tries sequences of calls by two users against the model. */
export function checkModel(scheme: Scheme, numRuns: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => run(scheme, steps)),
    { numRuns },
  );
}

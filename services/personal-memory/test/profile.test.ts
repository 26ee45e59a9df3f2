import { describe, expect, it } from '@jest/globals';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();
const put = (key: string, value: string) => test.ann.ask('update_profile', { key, value });
const events = async (args: Record<string, unknown> = {}) => (await test.ann.ask('search_events', args))['events'];

describe('keys that mean the same', () => {
  it.each([
    ['city', 'Berlin', 'location', 'Paris'],
    ['城市', '北京', 'city', '上海'],
    ['birthday', '1990-01-01', 'Date of Birth', '1991-01-01'],
    ['favourite_food', 'plums', 'favorite_food', 'pears'],
    ['current_employer', 'Acme', 'workplace', 'Globex'],
  ])('%s=%s and then %s=%s is told as a conflict, today and later', async (key, value, other, otherValue) => {
    expect(await put(key, value)).toMatchObject({ conflicts: [], contradicts_today: [] });
    expect(await put(other, otherValue)).toMatchObject({ conflicts: [{ key, value }], contradicts_today: [value] });
    test.clock.addDays(3);
    expect(await put(other, 'third')).toMatchObject({ conflicts: [{ key, value }], contradicts_today: [] });
  });

  it.each([
    ['city', 'Berlin', 'location', 'Berlin'],
    ['city', 'Berlin', 'work_location', 'Paris'],
    ['hobby', 'chess', 'interests', 'music'],
  ])('%s=%s and then %s=%s is none', async (key, value, other, otherValue) => {
    await put(key, value);
    expect(await put(other, otherValue)).toMatchObject({ conflicts: [], contradicts_today: [] });
  });
});

describe('a fact that changes', () => {
  it('is an event, which lists and searches of events see; the first value is none', async () => {
    await put('city', 'Berlin');
    expect(await events()).toEqual([]);
    await put('city', 'Berlin');
    expect(await events()).toEqual([]);
    await put('city', 'Paris');
    const change = { event_type: 'other', description: 'city: Berlin → Paris', metadata: { profile_key: 'city' } };
    expect(await events()).toMatchObject([change]);
    expect(await events({ query: 'Berlin' })).toMatchObject([change]);
    expect(await events({ time_range: 'today', keywords: ['Paris'] })).toMatchObject([change]);
    await test.ann.ask('rollback_profile', { key: 'city' });
    await test.ann.ask('delete_profile', { key: 'city' });
    expect(await events({ keywords: ['city'] })).toMatchObject([
      { description: 'city: Berlin → (deleted)' },
      { description: 'city: Paris → Berlin' },
      change,
    ]);
  });

  it('is forgotten there as well when its history is erased, and no other is', async () => {
    for (const key of ['city', 'tea']) for (const value of ['one', 'two']) await put(key, value);
    await test.ann.ask('delete_profile', { key: 'city', erase_history: true });
    expect(await events()).toMatchObject([{ description: 'tea: one → two' }]);
    expect(JSON.stringify(await test.ann.ask('export_data'))).not.toContain('city');
  });

  it('of 20,000 characters is told in short, and goes through an export', async () => {
    await put('essay', 'x'.repeat(20_000));
    await put('essay', '茶'.repeat(20_000));
    const [event] = (await events()) as { description: string }[];
    expect(event?.description.length).toBeLessThan(700);
    const { data } = await test.ann.ask('export_data');
    expect(await test.ann.ask('import_data', { format: 'json', data })).toMatchObject({ already_known: { events: 1 } });
  });
});

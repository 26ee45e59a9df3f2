import { describe, expect, it } from '@jest/globals';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();

/** One attribute, entity and event a day, the later ones tagged; then the first of each is changed. */
async function fill(): Promise<void> {
  for (const [at, name] of ['zither', 'kayak', 'anvil'].entries()) {
    test.clock.set(`2025-10-0${at + 1}T12:00:00Z`);
    const tags = at === 0 ? ['old'] : ['new', `"${name}'`];
    await test.ann.ask('update_profile', { key: name, value: 'yes', tags });
    await test.ann.ask('create_entity', { entity_type: 'other', name, tags });
    await test.ann.ask('add_event', { event_type: 'other', description: name, tags });
  }
  test.clock.set('2025-10-09T12:00:00Z');
  await test.ann.ask('update_profile', { key: 'zither', value: 'yes', tags: ['old'], confidence: 1 });
  await test.ann.ask('update_entity', { entity_id: 1, attributes: { strings: 30 } });
}

const names = async (tool: string, args: Record<string, unknown>): Promise<readonly string[]> => {
  const answer = Object.values(await test.ann.ask(tool, args)).find(Array.isArray) as readonly object[];
  return answer.map((one) => String(Object(one).key ?? Object(one).name ?? Object(one).description));
};

describe.each(['query_profile', 'list_entities'])('%s', (tool) => {
  it('lists what was last changed first, page by page, and only of a time or a tag', async () => {
    await fill();
    expect(await names(tool, { order: 'updated' })).toEqual(['zither', 'anvil', 'kayak']);
    expect(await names(tool, { order: 'updated', limit: 1, offset: 1 })).toEqual(['anvil']);
    expect(await names(tool, { order: 'updated', tag: 'new' })).toEqual(['anvil', 'kayak']);
    expect(await names(tool, { tag: `"kayak'` })).toEqual(['kayak']);
    expect(await names(tool, { tag: 'nowhere' })).toEqual([]);
    expect(await names(tool, { time_range: '2025-10-03..2025-10-05' })).toEqual(['anvil']);
    expect(await test.ann.codeOf(tool, { time_range: 'whenever' })).toBe('invalid');
  });
});

describe.each(['query_profile', 'list_entities', 'search_events'])('%s', (tool) => {
  it('says with the first page how many there are under its filters', async () => {
    await fill();
    expect(await test.ann.ask(tool, { limit: 1 })).toMatchObject({ total: 3 });
    expect(await test.ann.ask(tool, { limit: 1, tag: 'new' })).toMatchObject({ total: 2 });
    const late = { limit: 1, time_range: '2025-10-02..2025-10-09', tag: 'new' };
    expect(await test.ann.ask(tool, late)).toMatchObject({ total: 2 });
    expect(await test.ann.ask(tool, { limit: 1, tag: '"anvil\'' })).not.toHaveProperty('total');
    expect(await test.ann.ask(tool, { limit: 1, offset: 1 })).not.toHaveProperty('total');
  });
});

it('search_events finds what has a tag', async () => {
  await fill();
  expect(await names('search_events', { tag: 'new' })).toEqual(['anvil', 'kayak']);
  expect(await names('search_events', { tag: 'new', query: 'kayak' })).toEqual(['kayak']);
  expect(await names('search_events', { tag: 'new', time_range: '2025-10-02' })).toEqual(['kayak']);
});

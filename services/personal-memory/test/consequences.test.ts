import { describe, expect, it } from '@jest/globals';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();
const ask = (tool: string, args: Record<string, unknown>) => test.ann.ask(tool, args);
const follow = async (args: Record<string, unknown>) => (await ask('follow_change', args))['consequences'];
const values = async () => {
  const { profile } = await ask('query_profile', {});
  return Object.fromEntries((profile as { key: string; value: string }[]).map(({ key, value }) => [key, value]));
};

describe('what was drawn from a memory that is gone', () => {
  it('goes with it where it rests on that alone, here and on; earlier values of others stay in the history', async () => {
    await ask('update_profile', { key: 'city', value: 'Hull' });
    await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
    await ask('update_profile', { key: 'near', value: 'the sea', derived_from: ['fact:city'] });
    await ask('update_profile', { key: 'pet', value: '猫', derived_from: ['note:1', 'note:2'] });
    await ask('update_profile', { key: 'job', value: 'smith' });
    await ask('add_event', { event_type: 'other', description: '搬到利斯', derived_from: ['note:1'] });
    const dry = await follow({ sources: ['note:1'], change: 'forgotten' });
    expect(dry).toEqual([
      { id: expect.stringMatching(/^event:/u), what: 'removed', text: '搬到利斯' },
      { id: 'fact:city', what: 'removed', text: 'city: Leith' },
      { id: 'fact:pet', what: 'kept', text: 'pet: 猫', sources_left: 1 },
      { id: 'fact:near', what: 'removed', text: 'near: the sea' },
    ]);
    expect(await values()).toMatchObject({ city: 'Leith', near: 'the sea', pet: '猫', job: 'smith' });
    const done = await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false });
    expect(JSON.stringify(done)).not.toMatch(/Leith|利斯/u);
    expect(await values()).toEqual({ pet: '猫', job: 'smith' });
    const exported = JSON.stringify(await ask('export_data', {}));
    expect(exported).not.toMatch(/Leith|the sea|利斯/u);
    expect(await ask('query_profile_history', { key: 'city' })).toMatchObject({ versions: [{ value: 'Hull' }] });
    await follow({ sources: ['note:2'], change: 'forgotten', dry_run: false });
    expect(await values()).toEqual({ job: 'smith' });
  });

  it('goes with what is deleted here, for good', async () => {
    await ask('update_profile', { key: 'city', value: 'Leith' });
    await ask('update_profile', { key: 'near', value: 'the sea', derived_from: ['fact:city'] });
    expect(await ask('delete_profile', { key: 'city', erase_history: true })).toMatchObject({
      deleted: true,
      consequences: [{ id: 'fact:near', what: 'removed' }],
    });
    expect(await values()).toEqual({});
  });
});

describe('what was drawn from a memory that is corrected', () => {
  it('leaves the profile, and its history brings it back; what the new words say too stays', async () => {
    await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
    await ask('update_profile', { key: 'pet', value: 'cat', derived_from: ['note:1'] });
    const now = 'I live in York and have a Cat.';
    expect(await follow({ sources: ['note:1'], change: 'corrected', now, dry_run: false })).toEqual([
      { id: 'fact:city', what: 'marked', text: 'city: Leith' },
    ]);
    expect(await values()).toEqual({ pet: 'cat' });
    expect(await ask('rollback_profile', { key: 'city' })).toMatchObject({ rolled_back: true, value: 'Leith' });
    // Whoever brought it back stands for it.
    expect(await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false })).toMatchObject([
      { id: 'fact:pet' },
    ]);
    expect(await values()).toEqual({ city: 'Leith' });
  });

  it('stays where it was said by itself, before or after', async () => {
    await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
    await ask('update_profile', { key: 'city', value: 'Leith' });
    await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:2'] });
    expect(await follow({ sources: ['note:1', 'note:2'], change: 'forgotten', dry_run: false })).toEqual([]);
    expect(await values()).toEqual({ city: 'Leith' });
  });
});

describe('what an assistant or a document said', () => {
  it('is no value of the profile, neither by itself nor through an event, and leaves what stands there', async () => {
    await ask('update_profile', { key: 'city', value: 'Leith', trust: 'user' });
    const { event_id: id } = await ask('add_event', {
      event_type: 'other',
      description: '助手说你住在奥斯陆',
      metadata: { trust: 'assistant' },
    });
    const { event_id: drawn } = await ask('add_event', {
      event_type: 'other',
      description: 'Moved to Oslo.',
      derived_from: [`event:${id}`],
      metadata: { trust: 'user' },
    });
    expect(await ask('get_event', { event_id: drawn })).toMatchObject({
      event: { metadata: { trust: 'assistant', said_by: 'user,assistant' } },
    });
    for (const from of [{ trust: 'assistant' }, { trust: 'document' }, { derived_from: [`event:${drawn}`] }]) {
      await expect(ask('update_profile', { key: 'city', value: 'Oslo', ...from })).rejects.toThrow(/said by/u);
    }
    expect(await values()).toMatchObject({ city: 'Leith' });
    await ask('update_profile', { key: 'city', value: 'Hull', trust: 'other' });
    expect(await values()).toMatchObject({ city: 'Hull' });
  });
});

describe('what was drawn from what', () => {
  it('is in an export, and comes back with it', async () => {
    const event = { event_type: 'other', description: '搬到利斯', derived_from: ['note:1'] };
    const { event_id: id } = await ask('add_event', event);
    await ask('update_profile', { key: 'city', value: 'Leith', derived_from: [`event:${id}`, 'note:2'] });
    await ask('update_profile', { key: 'job', value: 'smith' });
    const { data } = await ask('export_data', { format: 'json' });
    await ask('delete_profile', { key: 'city', erase_history: true });
    await ask('delete_event', { event_id: id });
    const gone = { sources: ['note:1', 'note:2'], change: 'forgotten' };
    expect(await follow(gone)).toEqual([]);
    await ask('import_data', { format: 'json', data });
    expect(await follow(gone)).toEqual([
      { id: expect.stringMatching(/^event:/u), what: 'removed', text: '搬到利斯' },
      { id: 'fact:city', what: 'removed', text: 'city: Leith' },
    ]);
    expect(await follow({ sources: ['note:1'], change: 'forgotten' })).toMatchObject([
      { what: 'removed' },
      { id: 'fact:city', what: 'kept', sources_left: 1 },
    ]);
  });
});

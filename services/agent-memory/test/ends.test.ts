import type { MemoryEntry } from '@contextloom/contracts/agent-memory';
import { openReadOnly } from '@contextloom/sqlite';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AgentMemory } from '../src/domain/agent-memory.ts';
import { createUserStore } from '../src/domain/user-store.ts';
import { indexHasEnded } from '../src/store/sqlite/index-has-ended.ts';
import { createFolder, DAY, type Folder, NOW, openTestMemory } from './support/memory.ts';

const END = '2026-03-01T00:00:00.000Z';
const WORDS = ['Zanzibar', '桑给巴尔'];
const LONG_TERM = 'MEMORY.md';
const signal = AbortSignal.timeout(600_000);

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;
let now: Date;

const open = async (options: Parameters<typeof openTestMemory>[1] = {}) => {
  opened = await openTestMemory(folder, { clock: () => now, ...options });
  return opened.memory;
};

beforeEach(() => {
  folder = createFolder();
  now = new Date(NOW);
});
afterEach(async () => {
  await opened.memory.close();
  folder.remove();
});

const session = 'owner' as const;
const add = (memory: AgentMemory, content: string, more: object = {}): Promise<MemoryEntry> =>
  memory.add({ content, session, ...more });

/** All that a memory says of itself, as text. */
async function tellAll(memory: AgentMemory): Promise<string> {
  const context = { session, include_long_term: true, days: 2, token_budget: 10_000, lines: true };
  const answers = [
    await memory.list({ limit: 100, offset: 0, session }),
    (await Promise.all(WORDS.map((query) => memory.search({ query, limit: 10, session })))).map(({ items }) => items),
    await memory.daily('2026-02-14'),
    await memory.loadContext({ ...context, query: WORDS.join(' ') }),
    await memory.readFile(DAY, session),
    await memory.readFile(LONG_TERM, session),
    await createUserStore({ memory, userId: 'ann' }).exportUser('ann'),
  ];
  return JSON.stringify(answers);
}

/** Two entries with an end beside two without, and a person's own words. */
async function fill(memory: AgentMemory): Promise<MemoryEntry> {
  await add(memory, 'Leith has a harbour.');
  const ended = await add(memory, 'The ferry to Zanzibar leaves at noon.', { expires_at: END });
  await add(memory, '去桑给巴尔要带护照', { long_term: true, expires_at: END });
  await add(memory, 'Owen is the ferryman.', { long_term: true, content_type: 'decision' });
  return ended;
}

describe('an entry with an end', () => {
  it('is there until then, and from then on nothing shows it, whether anything has run or not', async () => {
    const memory = await open();
    const { id, metadata } = await fill(memory);
    expect(metadata).toEqual({ forget_at: END });
    const before = await tellAll(memory);
    for (const word of WORDS) expect(before).toContain(word);
    now = new Date(END);
    const after = await tellAll(memory);
    for (const word of WORDS) expect(after).not.toContain(word);
    for (const word of ['Leith', 'Owen']) expect(after).toContain(word);
    for (const ask of [
      () => memory.get(id, session),
      () => memory.similar(id, 5, session),
      () => memory.update(id, { content: 'x', session }),
      () => memory.delete(id, session),
    ])
      await expect(ask()).rejects.toThrow('there is no entry');
  });

  it('goes from file and index with its bytes, all else stays byte for byte, and a receipt without words is kept', async () => {
    const memory = await open();
    await fill(memory);
    const mine = '## My own\r\n\r\n  odd   spacing, and no end of a line';
    folder.save(DAY, `${folder.read(DAY)}\r\n${mine}`);
    await memory.sync();
    const [day, long] = [folder.read(DAY), folder.read(LONG_TERM)];
    await memory.forgetEnded();
    expect([folder.read(DAY), folder.read(LONG_TERM)]).toEqual([day, long]);
    now = new Date(END);
    await memory.forgetEnded();
    await opened.index.eraseRemoved();
    expect(findBytes(folder.root, WORDS)).toEqual([]);
    const left = folder.read(DAY);
    const at = day.indexOf('### 12:00', day.indexOf('Leith'));
    expect(left).toBe(day.slice(0, at) + mine);
    expect(folder.read(LONG_TERM)).toContain('Owen');
    const database = openReadOnly(folder.index);
    const receipts = database.prepare('SELECT * FROM receipts').all();
    database.close();
    expect(receipts).toEqual([1, 2].map(() => ({ id: expect.stringMatching(/^[\da-f-]{36}$/), erased_at: END })));
    // Nothing is left to do, also where the index is made again.
    await memory.rebuild();
    expect(indexHasEnded(folder.index, now)).toBe(false);
  });

  it('is told in no summary, which would outlive it', async () => {
    const told: string[] = [];
    const memory = await open({
      summarize: async (entries) => {
        told.push(...entries.map(({ content }) => content));
        return told.join(' ');
      },
    });
    await fill(memory);
    await memory.summarizeDay('2026-02-14', signal);
    expect(told).toEqual(['Leith has a harbour.']);
  });

  it('leaves the summary that rules made of its day when it gets its end later', async () => {
    const memory = await open();
    await add(memory, 'Leith has a harbour.');
    const { id } = await add(memory, 'The ferry to Zanzibar leaves at noon.');
    await memory.summarizeDay('2026-02-14', signal);
    expect((await memory.daily('2026-02-14')).summary).toContain('Zanzibar');
    await memory.update(id, { metadata: { forget_at: END }, session });
    expect((await memory.daily('2026-02-14')).summary).toBe('- Leith has a harbour.');
  });

  it('has no summary of its own, and is not asked for one day after day', async () => {
    const memory = await open();
    await add(memory, 'The ferry to Zanzibar leaves at noon.', { expires_at: END });
    await expect(memory.summarizeDay('2026-02-14', signal)).rejects.toThrow('no entries that stay');
    now = new Date('2026-02-15T12:00:00Z');
    await memory.endDays(signal);
    expect(opened.problems).toEqual([]);
  });

  it('keeps its end when its metadata are replaced, and loses it by null', async () => {
    const memory = await open();
    const { id } = await fill(memory);
    const { metadata } = await memory.update(id, { metadata: { importance: 3 }, session });
    expect(metadata).toEqual({ importance: 3, forget_at: END });
    await memory.update(id, { metadata: { forget_at: null }, session });
    now = new Date(END);
    await memory.forgetEnded();
    expect((await memory.get(id, session)).content).toContain('Zanzibar');
  });

  it('has the end that a person gives it in the file; what is no time is none', async () => {
    const memory = await open();
    await fill(memory);
    folder.save(DAY, folder.read(DAY).replace(END, '2026-04-01'));
    folder.save(LONG_TERM, folder.read(LONG_TERM).replace(END, 'maybe 5'));
    now = new Date(END);
    await memory.sync();
    await memory.forgetEnded();
    for (const word of WORDS) expect(await tellAll(memory)).toContain(word);
    now = new Date('2026-04-01T00:00:00Z');
    await memory.forgetEnded();
    expect(folder.read(DAY)).not.toContain('Zanzibar');
    expect(folder.read(LONG_TERM)).toContain('桑给巴尔');
  });

  it('is not archived, where nothing would look for it', async () => {
    const memory = await open();
    await fill(memory);
    now = new Date('2026-02-20T00:00:00Z');
    const { items } = await memory.archive({ older_than_days: 2, max_importance: 10, dry_run: true });
    expect(items).toHaveLength(1);
  });

  it('stays in a read-only workspace, and is not shown', async () => {
    await fill(await open());
    await opened.memory.close();
    now = new Date(END);
    const text = folder.read(DAY);
    const memory = await open({ isReadOnly: true });
    await memory.forgetEnded();
    expect(folder.read(DAY)).toBe(text);
    for (const word of WORDS) expect(await tellAll(memory)).not.toContain(word);
  });

  it('has that of a rule where it says none: by kind, source and user', async () => {
    const asked: unknown[] = [];
    const memory = await open({
      userId: 'ann',
      toLifetime: (entry) => {
        asked.push(entry);
        return entry.tags.includes('decision') ? 86_400_000 : undefined;
      },
    });
    const metadata = { tags: ['tea'], project: 'work/x' };
    const ruled = await add(memory, 'We take the ferry.', { content_type: 'decision', metadata });
    expect(ruled.metadata).toEqual({ ...metadata, forget_at: '2026-02-15T12:00:00.000Z' });
    expect((await add(memory, 'A', { content_type: 'decision', expires_at: END })).metadata).toEqual({
      forget_at: END,
    });
    expect((await add(memory, 'B')).metadata).toBeUndefined();
    expect((await add(memory, 'C', { content_type: 'decision', metadata: { forget_at: null } })).metadata).toEqual({
      forget_at: null,
    });
    expect(asked).toEqual([
      { tags: ['entry', 'decision', 'tea'], metadata: { ...metadata, user_id: 'ann' } },
      { tags: ['entry', 'manual'], metadata: { user_id: 'ann' } },
    ]);
    // What a person writes is theirs: no rule ends it.
    folder.save(DAY, `${folder.read(DAY)}\n### 13:00 - Decision\nMy own decision.\n`);
    await memory.sync();
    now = new Date('2027-01-01T00:00:00Z');
    await memory.forgetEnded();
    expect(folder.read(DAY)).toContain('My own decision.');
    expect(folder.read(DAY)).not.toContain('We take the ferry.');
  });

  it('has an end that is a time', async () => {
    const memory = await open();
    const { id } = await fill(memory);
    const metadata = { forget_at: 'maybe 5' };
    await expect(add(memory, 'A', { metadata })).rejects.toThrow(/metadata\.forget_at must be a time in ISO 8601/u);
    await expect(memory.update(id, { metadata, session })).rejects.toThrow(/metadata\.forget_at/u);
  });
});

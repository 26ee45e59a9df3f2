import { describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import type { Extractor } from '../../src/domain/extractor.ts';
import type { MemoryProcessor } from '../../src/domain/memory-processor.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { createScriptedExtractor, toFact } from '../support/scripted-extractor.ts';

interface Parts {
  readonly extractor?: Extractor;
  readonly memories?: KeptMemories;
  readonly now?: string;
}

function build({ extractor, memories = createKeptMemories(), now = '2025-01-02T03:04:05Z' }: Parts = {}) {
  const processor: MemoryProcessor = createMemoryProcessor({
    memories,
    clock: () => new Date(now),
    ...(extractor !== undefined && { extractor }),
  });
  return { processor, memories };
}

/** A transcript of `count` windows of six turns, each with its own words. */
function toLongTranscript(count: number): string {
  return Array.from({ length: count * 6 }, (_, index) => `Anna: I saw film number ${index} last night.`).join('\n');
}

const anna = { userId: 'anna', conversationHistory: '# 2024-03-05\nAnna: I am allergic to peanuts.\nBen: Noted!' };

describe('extractAndRateMemory', () => {
  it('gives the one memory that matters most, with its importance', async () => {
    const history = 'user: Hi!\nassistant: Hello!\nuser: I went to Rome. I am allergic to peanuts.';
    expect(await build().processor.extractAndRateMemory(history)).toEqual({
      summary: 'user: I am allergic to peanuts.',
      importance: 9.3,
    });
  });

  it('gives null when nothing is worth remembering', async () => {
    const { processor } = build();
    expect(await processor.extractAndRateMemory('user: Hi there!\nassistant: Hello! How can I help?')).toBeNull();
    expect(await processor.extractAndRateMemory([{ role: '我', content: '你好！' }])).toBeNull();
  });

  it('prefers a fact to an episode of the same importance', async () => {
    const extractor = createScriptedExtractor(() => [toFact('Anna is allergic to peanuts.', 5)]);
    expect(await build({ extractor }).processor.extractAndRateMemory('Anna: hi')).toEqual({
      summary: 'Anna is allergic to peanuts.',
      importance: 5,
    });
  });
});

describe('extractMemories', () => {
  it('gives every episode and fact, and saves nothing', async () => {
    const extractor = createScriptedExtractor(() => [toFact('a fact', 1)]);
    const { processor, memories } = build({ extractor });
    const found = await processor.extractMemories(toLongTranscript(2), { transcriptId: 'films' });
    expect(found.map(({ memory_type, source }) => [memory_type, source])).toEqual([
      ['knowledge', 'films 1-6'],
      ['episode', 'films 1-6'],
      ['knowledge', 'films 7-12'],
      ['episode', 'films 7-12'],
    ]);
    expect(memories.documents.size).toBe(0);
  });
});

describe('saveMemory', () => {
  it('keeps the memory under the tag and the metadata that readers look for, and says true', async () => {
    const { processor, memories } = build();
    expect(await processor.saveMemory('anna', 'Anna likes tea.', 2)).toBe(true);
    expect([...memories.documents.values()]).toEqual([
      {
        doc_id: expect.stringMatching(/^memory-/),
        content: 'Anna likes tea.',
        tags: ['memory'],
        metadata: { user_id: 'anna', importance: 2, memory_type: 'knowledge', created_at: '2025-01-02T03:04:05.000Z' },
      },
    ]);
  });

  it('keeps the same words of one user once, and of two users apart', async () => {
    const { processor, memories } = build();
    for (const user of ['anna', 'anna', 'ben']) await processor.saveMemory(user, 'likes tea', 5);
    expect(memories.documents.size).toBe(2);
  });

  it.each([
    ['', 'x', 5, 'userId'],
    ['anna', '  ', 5, 'content'],
    ['anna', 'x', 11, 'importance'],
    ['anna', 'x', Number.NaN, 'importance'],
  ])('refuses %p, %p, %p and names the field', async (user, content, importance, field) => {
    await expect(build().processor.saveMemory(user, content, importance)).rejects.toMatchObject({
      code: 'invalid',
      field,
    });
  });
});

describe('processTranscript', () => {
  it('keeps an episode with all that tells where it came from', async () => {
    const { processor, memories } = build();
    const outcome = await processor.processTranscript({ ...anna, transcriptId: 'lunch' });
    expect(outcome).toMatchObject({ transcript: 'lunch', windows: 1, known: 0, notSaved: [], isComplete: true });
    expect([...memories.documents.values()]).toEqual([
      {
        doc_id: outcome.saved[0]?.id,
        content: '[2024-03-05]\nAnna: I am allergic to peanuts.\nBen: Noted!',
        tags: ['memory', 'episode', 'health'],
        metadata: {
          user_id: 'anna',
          importance: 9.1,
          memory_type: 'episode',
          created_at: '2025-01-02T03:04:05.000Z',
          occurred_at: '2024-03-05T00:00:00.000Z',
          transcript: 'lunch',
          session: '2024-03-05',
          turns: '1-2',
          turn_hashes: expect.stringMatching(/^[\da-f]{12},[\da-f]{12}$/u),
          sequence: expect.stringMatching(/^session-/),
          position: 2,
          extractor: 'rules',
          trust: 'other',
          said_by: 'user,other',
        },
      },
    ]);
  });

  it('keeps episodes whatever their importance', async () => {
    const { processor, memories } = build();
    await processor.processTranscript({ userId: 'anna', conversationHistory: 'Anna: Hi!\nBen: Hello!' });
    expect([...memories.documents.values()].map(({ metadata }) => metadata['importance'])).toEqual([1]);
  });

  it('saves a fact of low importance when forced to (the original dropped it before force_save was looked at)', async () => {
    const extractor = createScriptedExtractor(() => [toFact('Anna said hi.', 1), toFact('Anna moved to Lyon.', 7)]);
    const relaxed = build({ extractor });
    const left = await relaxed.processor.processTranscript(anna);
    expect(left.saved.map(({ content }) => content)).not.toContain('Anna said hi.');
    expect(left.notSaved).toEqual([{ content: 'Anna said hi.', importance: 1, reason: 'importance below 3' }]);
    const forced = build({ extractor });
    const kept = await forced.processor.processTranscript({ ...anna, forceSave: true });
    expect(kept.saved.map(({ content }) => content)).toContain('Anna said hi.');
    expect(kept.notSaved).toEqual([]);
    expect([...forced.memories.documents.values()].map(({ content }) => content)).toContain('Anna said hi.');
  });

  it('saves what was left out when the same transcript comes again with force, and then no more', async () => {
    const extractor = createScriptedExtractor(() => [toFact('Anna said hi.', 1)]);
    const { processor, memories } = build({ extractor });
    await processor.processTranscript(anna);
    const forced = await processor.processTranscript({ ...anna, forceSave: true });
    expect(forced.saved.map(({ content }) => content)).toContain('Anna said hi.');
    expect(memories.documents.size).toBe(2);
    expect(await processor.processTranscript({ ...anna, forceSave: true })).toMatchObject({ known: 1, saved: [] });
  });

  it('has an episode found by its facts, and a fact by the turns that say it', async () => {
    const extractor = createScriptedExtractor(({ turns }) => [
      { ...toFact('Anna moved to Lyon', 6), evidence: [turns[1]?.label ?? ''] },
      toFact('Anna has a cat', 1),
    ]);
    const { processor, memories } = build({ extractor });
    await processor.processTranscript({ userId: 'anna', conversationHistory: 'Ben: And?\nAnna: I did it!' });
    const documents = [...memories.documents.values()];
    expect(documents.map(({ content, keys }) => [content, keys])).toEqual([
      ['Anna moved to Lyon', ['Anna: I did it!']],
      ['Ben: And?\nAnna: I did it!', ['Anna moved to Lyon', 'Anna has a cat']],
    ]);
  });

  it('names the episode that a fact was drawn from, and the turns of it that say it', async () => {
    const extractor = createScriptedExtractor(() => [{ ...toFact('Anna moved to Lyon.', 7), evidence: ['2'] }]);
    const { processor, memories } = build({ extractor });
    const { saved } = await processor.processTranscript(anna);
    const fact = memories.documents.get(saved[0]?.id ?? '');
    expect(fact?.metadata).toMatchObject({
      episode: saved[1]?.id,
      memory_type: 'knowledge',
      turns: '2',
      episode_turns: '2',
    });
    expect(fact?.tags).toEqual(['memory', 'scripted']);
  });

  it('adds nothing when the same transcript comes again, and reads no window a second time', async () => {
    const extractor = createScriptedExtractor(({ ordinal }) => [toFact(`fact ${ordinal}`, 7)]);
    const { processor, memories } = build({ extractor });
    const first = await processor.processTranscript({ userId: 'anna', conversationHistory: toLongTranscript(3) });
    const again = await processor.processTranscript({ userId: 'anna', conversationHistory: toLongTranscript(3) });
    expect([first.saved.length, again.saved.length, again.known]).toEqual([6, 0, 3]);
    expect(extractor.read).toHaveLength(3);
    expect(memories.documents.size).toBe(6);
  });

  it('replaces the last window of a conversation that has grown', async () => {
    const { processor, memories } = build();
    const lines = toLongTranscript(3).split('\n');
    for (const length of [8, 11, 12, 13]) {
      const conversationHistory = lines.slice(0, length).join('\n');
      const { known, saved } = await processor.processTranscript({
        userId: 'anna',
        conversationHistory,
        transcriptId: 'films',
      });
      expect(known + saved.length).toBe(Math.ceil(length / 6));
    }
    expect([...memories.documents.values()].map(({ metadata }) => metadata['turns'])).toEqual(['1-6', '7-12', '13']);
  });

  it('keeps the copies of two users apart', async () => {
    const { processor, memories } = build();
    await processor.processTranscript({ ...anna, transcriptId: 't' });
    const { known } = await processor.processTranscript({ ...anna, userId: 'ben', transcriptId: 't' });
    expect(known).toBe(0);
    expect([...memories.documents.values()].map(({ metadata }) => metadata['user_id'])).toEqual(['anna', 'ben']);
  });

  it('has a model read what rules had rated, and never the other way round', async () => {
    const { processor, memories } = build();
    await processor.processTranscript({ ...anna, transcriptId: 't' });
    const better = build({ memories, extractor: createScriptedExtractor(() => []) });
    expect(await better.processor.processTranscript({ ...anna, transcriptId: 't' })).toMatchObject({ known: 0 });
    expect([...memories.documents.values()].map(({ metadata }) => metadata['extractor'])).toEqual(['scripted']);
    expect(await processor.processTranscript({ ...anna, transcriptId: 't' })).toMatchObject({ known: 1, saved: [] });
  });

  it('saves in batches of at most 100 and tells its progress after each', async () => {
    const { processor, memories } = build();
    const told: (readonly [number, number])[] = [];
    const request = { userId: 'anna', conversationHistory: toLongTranscript(120) };
    await processor.processTranscript(request, { onProgress: (done, total) => told.push([done, total]) });
    expect(Math.max(...memories.batches)).toBeLessThanOrEqual(100);
    expect(memories.batches.reduce((sum, size) => sum + size, 0)).toBe(120);
    expect(told.at(0)).toEqual([0, 120]);
    expect(told.at(-1)).toEqual([120, 120]);
    expect(told).toHaveLength(memories.batches.length + 1);
  });

  it('that broke off half-way is finished by running it again, and nothing is kept twice', async () => {
    const broken = createKeptMemories({ failAfter: 1 });
    const request = { userId: 'anna', conversationHistory: toLongTranscript(120) };
    await expect(build({ memories: broken }).processor.processTranscript(request)).rejects.toMatchObject({
      code: 'unavailable',
    });
    const kept = broken.documents.size;
    const memories = createKeptMemories();
    for (const [id, document] of broken.documents) memories.documents.set(id, document);
    const { known, saved } = await build({ memories }).processor.processTranscript(request);
    expect([known, saved.length, memories.documents.size]).toEqual([kept, 120 - kept, 120]);
    expect(kept).toBeGreaterThan(0);
  });

  it('that is ended early saves what it has read and says that it is not complete', async () => {
    const stop = new AbortController();
    const read: string[] = [];
    const extractor = createScriptedExtractor((window) => {
      read.push(window.content);
      if (read.length === 3) stop.abort();
      return [];
    });
    const { processor, memories } = build({ extractor });
    const request = { userId: 'anna', conversationHistory: toLongTranscript(5) };
    const outcome = await processor.processTranscript(request, { signal: stop.signal });
    expect(outcome).toMatchObject({ windows: 5, isComplete: false });
    expect([outcome.saved.length, memories.documents.size, read.length]).toEqual([3, 3, 3]);
  });

  it('takes the date of the call for turns without one, and refuses what is no date', async () => {
    const { processor } = build();
    const request = { userId: 'anna', conversationHistory: 'Anna: hi' };
    const { saved } = await processor.processTranscript({ ...request, conversationDate: '2024-03-05' });
    expect(saved[0]?.occurred_at).toBe('2024-03-05T00:00:00.000Z');
    await expect(processor.processTranscript({ ...request, conversationDate: 'soon' })).rejects.toThrow(
      'conversation_date must be a date',
    );
  });

  it.each([
    ['', 'Anna: hi', 'user_id'],
    ['a\u0000b', 'Anna: hi', 'user_id'],
    ['anna', '', 'nothing is said'],
    ['anna', [], 'nothing is said'],
    ['anna', [{ role: 'user' }], 'conversation_history[0] has neither'],
  ])('refuses user %p with conversation %p', async (userId, conversationHistory, problem) => {
    const processing = build().processor.processTranscript({ userId, conversationHistory });
    await expect(processing).rejects.toMatchObject({ code: 'invalid' });
    await expect(processing).rejects.toThrow(problem);
  });
});

describe('the extractor', () => {
  it('is named, and rules are called rules', () => {
    expect(build().processor.extractor).toEqual({ kind: 'rules', name: 'rules' });
  });
});

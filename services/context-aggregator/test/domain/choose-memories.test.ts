import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseMemories, type MemoryLimits } from '../../src/domain/memories/choose-memories.ts';
import type { FoundMemory } from '../../src/domain/memories/memories.ts';

const episode = (id: string, content = `[2024-05-01]\nann: words of ${id}`): FoundMemory => ({
  id,
  content,
  tags: ['memory', 'episode'],
  metadata: { memory_type: 'episode', occurred_at: '2024-05-01T20:00:00.000Z' },
});
const fact = (of: string, content: string, metadata: Record<string, unknown> = {}): FoundMemory => ({
  id: `fact of ${of}: ${content}`,
  content,
  tags: ['memory'],
  metadata: { memory_type: 'event', episode: of, occurred_at: '2024-05-01T20:00:00.000Z', ...metadata },
});
const alone = (content: string): FoundMemory => ({ id: content, content, tags: ['memory'], metadata: {} });

const countWords = (text: string): number => text.split(/\s+/u).length;
const idsOf = (hits: readonly FoundMemory[], limits: MemoryLimits) =>
  chooseMemories(hits, limits).map(({ memory }) => memory.id);
const textsOf = (hits: readonly FoundMemory[], limits: MemoryLimits) =>
  chooseMemories(hits, limits).map(({ text }) => text);

describe('chooseMemories', () => {
  it('lets no fact take the place of an episode, however well it fits', () => {
    const hits = [fact('x', 'Ann moved'), fact('y', 'Ann sings'), episode('a'), fact('z', 'Ann runs'), episode('b')];
    expect(idsOf(hits, { topK: 2 })).toEqual(['a', 'b']);
  });

  it('tells facts, each with its day, where episodes leave room', () => {
    const hits = [fact('x', 'Ann moved'), episode('a'), fact('y', 'Ann sings')];
    expect(textsOf(hits, { topK: 3 })).toEqual([
      '[2024-05-01] Ann moved',
      '[2024-05-01]\nann: words of a',
      '[2024-05-01] Ann sings',
    ]);
  });

  it('leaves out a fact whose episode is told', () => {
    expect(idsOf([fact('a', 'Ann moved'), episode('a'), episode('b')], { topK: 5 })).toEqual(['a', 'b']);
  });

  it('treats a memory that stands alone as it treats an episode', () => {
    expect(idsOf([alone('Ann is deaf'), fact('x', 'Ann moved'), episode('a')], { topK: 2 })).toEqual([
      'Ann is deaf',
      'a',
    ]);
  });

  it.each([
    ['Ann moved to Lyon', 'ann moved to Lyon.'],
    ['林夕養貓', '林夕养猫'],
  ])('tells %j and %j once', (first, second) => {
    const hits = [fact('x', first), fact('y', second), fact('z', 'Ann sings')];
    expect(textsOf(hits, { topK: 2 })).toEqual([`[2024-05-01] ${first}`, '[2024-05-01] Ann sings']);
  });

  it('tells what happened twice twice', () => {
    const hits = ['2023-05-08', '2024-05-08'].map((occurred_at) =>
      fact(occurred_at, 'Ran a marathon', { occurred_at }),
    );
    expect(textsOf(hits, { topK: 3 })).toEqual(['[2023-05-08] Ran a marathon', '[2024-05-08] Ran a marathon']);
  });

  it('leaves out what is superseded, and what is blank', () => {
    const hits = [fact('x', 'Ann lives in Bonn', { valid_to: '2024-06-01T00:00:00.000Z' }), alone(' \n'), episode('a')];
    expect(idsOf(hits, { topK: 3 })).toEqual(['a']);
  });

  it('gives facts a fifth of the tokens, and what they do not need to episodes', () => {
    const long = (id: string) => episode(id, Array.from({ length: 20 }, (_, at) => `${id}${at}`).join(' '));
    const hits = [...['a', 'b', 'c'].map(long), fact('x', 'one two three'), fact('b', 'four five six')];
    // Two episodes would need all of the 40, and a fact takes 4 with its day.
    expect(idsOf(hits, { maxTokens: 40, countTokens: countWords })).toEqual([
      'a',
      ...hits.slice(3).map(({ id }) => id),
    ]);
    expect(idsOf(hits, { maxTokens: 60, countTokens: countWords })).toEqual(['a', 'b', hits[3]?.id]);
    expect(idsOf(hits.slice(0, 3), { maxTokens: 40, countTokens: countWords })).toEqual(['a', 'b']);
  });

  it('tells facts alone when no episode fits', () => {
    const hits = [episode('a', 'one two three four five six'), fact('a', 'one two')];
    expect(textsOf(hits, { maxTokens: 4, countTokens: countWords })).toEqual(['[2024-05-01] one two']);
  });

  it('stays within its limits, in the order of the hits, whatever they are', () => {
    const hit = fc.oneof(
      fc.record({ id: fc.nat(8), words: fc.integer({ min: 1, max: 30 }) }).map(({ id, words }) => {
        return episode(`e${id}`, Array.from({ length: words }, (_, at) => `e${id}w${at}`).join(' '));
      }),
      fc.record({ of: fc.nat(8), at: fc.nat(20) }).map(({ of, at }) => fact(`e${of}`, `fact ${at}`)),
    );
    const limits = fc.record({ topK: fc.option(fc.nat(10), { nil: undefined }), maxTokens: fc.nat(120) });
    fc.assert(
      fc.property(fc.array(hit, { maxLength: 20 }), limits, (hits, { topK, maxTokens }) => {
        const chosen = chooseMemories(hits, { topK, maxTokens, countTokens: countWords });
        const places = chosen.map(({ memory }) => hits.indexOf(memory));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(chosen.length).toBeLessThanOrEqual(topK ?? 20);
        expect(chosen.reduce((sum, { text }) => sum + countWords(text), 0)).toBeLessThanOrEqual(maxTokens);
        const told = new Set(chosen.map(({ memory }) => memory.id));
        for (const { memory } of chosen) expect(told.has(String(memory.metadata['episode']))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});

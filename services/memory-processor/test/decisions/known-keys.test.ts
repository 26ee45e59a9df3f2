import { describe, expect, it } from '@jest/globals';
import { decideFacts, type FactJudge } from '../../src/domain/decisions/decide-facts.ts';
import type { MemoryDocument } from '../../src/domain/memory-store.ts';
import { createKeptMemories } from '../support/memory-stores.ts';

const toFact = (id: string, content: string, key: string): MemoryDocument => ({
  doc_id: id,
  content,
  tags: ['memory'],
  keys: [key],
  metadata: {
    user_id: 'ann',
    memory_type: 'preference',
    episode: `episode of ${id}`,
    created_at: '2024-03-05T00:00:00.000Z',
  },
});

const replacing: FactJudge = {
  decider: { name: 'model', promptVersion: '1' },
  judge: async () => ({
    verdicts: [{ fact: 1, relation: 'replaces', of: [0] }],
    usage: { calls: 1, inputTokens: 1, outputTokens: 1 },
  }),
};

/** The keys of what is written when a known fact meets a new one. */
async function meet(known: MemoryDocument, fact: MemoryDocument, judge?: FactJudge) {
  const memories = createKeptMemories();
  await memories.save([known]);
  const at = '2024-03-06T00:00:00.000Z';
  const { signal } = new AbortController();
  const { documents } = await decideFacts([fact], { memories, judge, userId: 'ann', at, signal });
  return new Map(documents.map(({ doc_id: id, keys }) => [id, keys]));
}

describe('a known fact', () => {
  const tea = toFact('a', 'Ann likes tea.', 'I drink it daily');

  it('keeps its keys, and gets those of the one that repeats it', async () => {
    const written = await meet(tea, toFact('b', 'Ann likes tea', 'Tea, please'));
    expect(written.get('a')).toEqual(['I drink it daily', 'Tea, please']);
    expect(written.has('b')).toBe(false);
  });

  it('keeps its keys when another one takes its place', async () => {
    const written = await meet(tea, toFact('b', 'Ann drinks only coffee.', 'Coffee now'), replacing);
    expect(written.get('a')).toEqual(['I drink it daily']);
    expect(written.get('b')).toEqual(['Coffee now']);
  });
});

import { wordsAlone } from '@contextloom/retrieval/ranking';
import { describe, expect, it } from '@jest/globals';
import { screenMemories } from '../../src/domain/composing/memory-lines.ts';
import { guardText } from '../../src/domain/firewall/guard.ts';
import type { FoundMemory } from '../../src/domain/memories/memories.ts';

const memory = (id: string, relevance?: number): FoundMemory => ({
  ...{ id, content: `memory ${id}`, tags: [], metadata: {}, relevance },
});

function screen(query: string, relevances: readonly (number | undefined)[]) {
  const hits = relevances.map((relevance, at) => memory(String(at), relevance));
  const origin = { source: 'memories', server: 'knowledge-base' };
  const { memories, leftOut } = screenMemories(hits, { asking: { query, names: [] }, origin, guard: guardText });
  return { told: memories.map(({ id }) => id), reasons: leftOut.map(({ reason }) => reason) };
}

const above = wordsAlone.minScore + 0.01;
const below = wordsAlone.minScore - 0.01;

describe('what a prompt tells of the hits of a search', () => {
  it.each(['What is quantum chromodynamics?', '蒙古国的首都是哪里？', 'The government fell last night.'])(
    'is nothing where none of them reaches the floor: %s',
    (query) => {
      expect(screen(query, [below, 0])).toEqual({ told: [], reasons: ['not_relevant', 'not_relevant'] });
      expect(screen(query, [above, 0])).toEqual({ told: ['0', '1'], reasons: [] });
    },
  );

  it('is nothing for a greeting, and everything where nothing is asked or a knowledge base tells no relevance', () => {
    expect(screen('Good morning!', [above]).told).toEqual([]);
    expect(screen(' ', [0]).told).toEqual(['0']);
    expect(screen('What is quantum chromodynamics?', [below, undefined]).told).toEqual(['0', '1']);
  });
});

import { GRADES } from '@contextloom/retrieval/ranking';
import { describe, expect, it } from '@jest/globals';
import { screenMemories, toMemoryLines } from '../../src/domain/composing/memory-lines.ts';
import { sanitizeText } from '../../src/domain/firewall/sanitize-text.ts';
import type { FoundMemory } from '../../src/domain/memories/memories.ts';

const memory = (id: string, relevance?: number, content = `memory ${id}`): FoundMemory => ({
  id,
  content,
  tags: [],
  metadata: {},
  relevance,
});
const origin = { source: 'memories', server: 'knowledge-base' };
const countTokens = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;

interface Told {
  readonly topK?: number;
  readonly maxTokens?: number;
  readonly confidence?: number;
}

function tell(query: string, memories: readonly FoundMemory[], { confidence, ...limits }: Told = {}) {
  const asking = { query, names: [] };
  const screened = screenMemories({ memories, confidence }, { asking, origin, sanitize: sanitizeText });
  const { lines, leftOut } = toMemoryLines(screened, { ...limits, countTokens, asking }, origin);
  return { told: lines.map(({ id }) => id), texts: lines.map(({ text }) => text), leftOut };
}
const tellOf = (query: string, relevances: readonly (number | undefined)[]) => {
  const { told, leftOut } = tell(
    query,
    relevances.map((relevance, at) => memory(String(at), relevance)),
  );
  return { told, reasons: leftOut.map(({ reason }) => reason) };
};

describe('what a prompt tells of the hits of a search', () => {
  it.each(['What is quantum chromodynamics?', '蒙古国的首都是哪里？', 'The government fell last night.'])(
    'is nothing where none of them is likely to answer: %s',
    (query) => {
      const below = GRADES.least - 0.01;
      expect(tellOf(query, [below, 0])).toEqual({ told: [], reasons: ['not_relevant', 'not_relevant'] });
    },
  );

  it('is nothing for a greeting, and everything where nothing is asked or a knowledge base tells no relevance', () => {
    expect(tellOf('Good morning!', [1]).told).toEqual([]);
    expect(tellOf(' ', [0]).told).toEqual(['0']);
    expect(tellOf('What is quantum chromodynamics?', [0, undefined]).told).toEqual(['0', '1']);
  });

  it('is 120 tokens of passages where an answer is doubtful, whatever the budget', () => {
    const doubtful = GRADES.sure - 0.01;
    const hits = Array.from({ length: 30 }, (_, at) =>
      memory(String(at), doubtful / 30, `My rent went up ${at} times`),
    );
    for (const limits of [{}, { topK: 5 }, { maxTokens: 5_000 }]) {
      const { texts } = tell('What is my rent?', hits, limits);
      expect(texts.length).toBeGreaterThan(0);
      expect(countTokens(texts.join(' '))).toBeLessThanOrEqual(GRADES.doubtful.tokens);
    }
    const long = memory('long', doubtful, `My rent is high. ${'It went up and up and up again. '.repeat(100)}`);
    const [text = ''] = tell('What is my rent?', [long], { maxTokens: 5_000 }).texts;
    expect(countTokens(text)).toBeLessThanOrEqual(GRADES.doubtful.tokens);
    expect([text.startsWith('My rent is high.'), text.endsWith('\n…')]).toEqual([true, true]);
  });

  it('is everything where few hits of many were fetched, and it is sure that one of all answers', () => {
    const hits = ['It is nine hundred', 'The rent went up', 'Rent is due'].map((text, at) =>
      memory(String(at), 0.1, text),
    );
    const alone = tell('What is my rent?', hits, { topK: 3 });
    expect(countTokens(alone.texts.join(' '))).toBeLessThanOrEqual(GRADES.doubtful.tokens);
    const { told } = tell('What is my rent?', [memory('long', 0.1, 'My rent went up. '.repeat(100)), ...hits], {
      topK: 4,
      confidence: GRADES.sure,
    });
    expect(told).toEqual(['long', '0', '1', '2']);
  });

  it('is what follows the best hit closely enough where one is sure to answer, and says what was cut', () => {
    const hits = [
      memory('a', 0.9, 'My rent is nine hundred'),
      memory('b', 0.6, 'The rent of Ben'),
      memory('c', 0.0001),
    ];
    const { told, leftOut } = tell('What is my rent?', hits, { maxTokens: 5_000 });
    expect(told).toEqual(['a', 'b']);
    expect(leftOut).toMatchObject([{ id: 'c', reason: 'not_relevant', relevance: 0.0001 }]);
  });
});

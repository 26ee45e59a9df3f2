import { countTokens } from '@contextloom/llm';
import { describe, expect, it } from '@jest/globals';
import { readOne } from '../../../../shared/transcripts/test/support/conversations.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { toEpisodes } from '../../src/domain/windows/episodes.ts';
import { createKeptMemories } from '../support/memory-stores.ts';

const toTurn = (unit: string, length: number): string => `Anna: ${unit.repeat(Math.ceil(length / unit.length))}`;

/** How often each character of a turn is counted while it is cut. */
function countEffort(text: string): number {
  let counted = 0;
  const windows = toEpisodes(readOne(text), (part) => {
    counted += part.length;
    return countTokens(part);
  });
  expect([...windows].length).toBeGreaterThan(5);
  return counted / text.length;
}

describe('a turn of one long line', () => {
  it.each([
    ['sentences', 'I moved to Lyon with my dog Rex and we like it here. '],
    ['words without a full stop', 'lorem ipsum dolor sit amet '],
    ['one endless word', 'x'],
    ['Chinese without punctuation', '我昨天和小明去爬山了天气很好'],
    ['punctuation', '!? '],
  ])('(%s) is cut by looking at each character a few times, however long it is', (_name, unit) => {
    const [short, long] = [countEffort(toTurn(unit, 20_000)), countEffort(toTurn(unit, 100_000))];
    expect(long).toBeLessThan(20);
    expect(long).toBeLessThan(short * 1.2);
  });

  it('lets other calls be answered between its windows', async () => {
    const processor = createMemoryProcessor({ memories: createKeptMemories() });
    let others = 0;
    let isDone = false;
    const count = (): void => {
      others += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const conversationHistory = toTurn('I moved to Lyon with my dog Rex and we like it here. ', 40_000);
    const { windows } = await processor.processTranscript({ userId: 'anna', conversationHistory });
    isDone = true;
    // Once when each was cut, once when each was rated.
    expect(others).toBeGreaterThanOrEqual(2 * windows);
  });

  it('is left off when the run is ended while it is being cut, and is read by the next run', async () => {
    const memories = createKeptMemories();
    const stop = new AbortController();
    let counted = 0;
    const stopping = createMemoryProcessor({
      memories,
      countTokens: (text) => {
        counted += 1;
        if (counted === 500) stop.abort();
        return countTokens(text);
      },
    });
    const request = { userId: 'anna', conversationHistory: toTurn('lorem ipsum dolor sit amet ', 40_000) };
    await expect(stopping.processTranscript(request, { signal: stop.signal })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the reading was stopped',
    });
    expect(counted).toBeLessThan(1_000);
    expect(memories.documents.size).toBe(0);
    const outcome = await createMemoryProcessor({ memories }).processTranscript(request);
    expect(outcome).toMatchObject({ isComplete: true, known: 0 });
    expect(memories.documents.size).toBe(outcome.windows);
  });
});

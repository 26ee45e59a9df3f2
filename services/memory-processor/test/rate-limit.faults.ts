import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import { createKeptMemories } from './support/memory-stores.ts';
import { drawOne, type ScriptedModel, startScriptedModel } from './support/scripted-model.ts';

const TRANSCRIPTS = 30;
const CONCURRENCY = 4;
/** How long the endpoint refuses everything, in milliseconds: the usual window of a limit is a minute. */
const REFUSES_FOR = toRounds(3_000, 60_000);

const running: ScriptedModel[] = [];
afterAll(async () => {
  await Promise.all(running.map(({ endpoint }) => endpoint.close()));
});

/** Records thirty transcripts while the endpoint refuses everything for a while. */
async function record(retryAfter: string | undefined) {
  const until = Date.now() + REFUSES_FOR;
  let [answered, refused] = [0, 0];
  const model = await startScriptedModel({
    concurrency: CONCURRENCY,
    waits: true,
    chat: (request) => {
      if (Date.now() < until) {
        refused += 1;
        return { kind: 'error', status: 429, ...(retryAfter !== undefined && { retryAfter }) };
      }
      answered += 1;
      return drawOne(request);
    },
  });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const outcomes = await Promise.all(
    Array.from({ length: TRANSCRIPTS }, (_, at) =>
      processor.processTranscript({
        userId: `user ${at}`,
        transcriptId: `t${at}`,
        conversationHistory: `Anna: I saw film number 1.`,
      }),
    ),
  );
  const facts = [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode'));
  return { outcomes, facts: facts.length, answered, refused };
}

describe('thirty transcripts', () => {
  it.each([
    ['with the time to wait', toRounds('1', '5')],
    ['without a header', undefined],
  ])(
    'are read and paid for once when the endpoint refuses everything for a while, %s',
    async (_name, retryAfter) => {
      const { outcomes, facts, answered, refused } = await record(retryAfter);
      expect(outcomes.filter(({ unread, failed }) => unread > 0 || failed.length > 0)).toEqual([]);
      expect([facts, answered]).toEqual([TRANSCRIPTS, TRANSCRIPTS]);
      // Each call waits longer from try to try, and a refusal makes the others wait.
      expect(refused).toBeLessThanOrEqual(20 * CONCURRENCY);
    },
    240_000,
  );
});

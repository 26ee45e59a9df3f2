// One run of the benchmark, in a process of its own, so that its peak memory is its own too. Started by extraction.mjs.
import process from 'node:process';
import { createChatModel } from '@contextloom/llm';
import { silentLog } from '@contextloom/mcp-kit';
import {
  createHttpMemoryStore,
  createMemoryProcessor,
  createModelExtractor,
  createRulesExtractor,
} from '../dist/index.js';
import { toConversation } from './films.mjs';

const { kbUrl, userId, windows, concurrency, endpoint } = JSON.parse(process.argv[2]);

async function openExtractor() {
  const rules = createRulesExtractor();
  if (endpoint === undefined) return rules;
  const { url: baseUrl, apiKey } = endpoint;
  const model = await createChatModel({ model: 'scripted', baseUrl, apiKey, concurrency });
  return createModelExtractor({ model, rules, concurrency, price: () => ({ basis: '' }), log: silentLog });
}

const times = [];
const extractor = await openExtractor();
const timed = {
  ...extractor,
  extract: async (...args) => {
    const from = performance.now();
    const extraction = await extractor.extract(...args);
    times.push(performance.now() - from);
    return extraction;
  },
};
const memories = createHttpMemoryStore({ url: kbUrl, log: silentLog });
const processor = createMemoryProcessor({ memories, extractor: timed });
const conversationHistory = toConversation(windows);
const from = performance.now();
const outcome = await processor.processTranscript({ userId, conversationHistory, transcriptId: 'films' });
const seconds = (performance.now() - from) / 1_000;
const { saved, notSaved, failed, usage } = outcome;
process.send({
  ...{ seconds, times, calls: usage.calls, saved: saved.length, notSaved: notSaved.length, failed: failed.length },
  // Kibibytes on every system.
  peakMiB: process.resourceUsage().maxRSS / 1_024,
});
process.disconnect();

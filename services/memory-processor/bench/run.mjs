// One run of the benchmark, in a process of its own, so that its peak memory is its own too. Started by extraction.mjs.
import process from 'node:process';
import { countTokens, createChatModel } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import {
  createHttpMemoryStore,
  createMemoryProcessor,
  createModelExtractor,
  createRulesExtractor,
} from '../build/index.js';
import { toConversation } from './films.mjs';

const { kbUrl, userId, windows, length, groupTokens, concurrency, endpoint } = JSON.parse(process.argv[2]);

async function openExtractor() {
  const rules = createRulesExtractor();
  if (endpoint === undefined) return rules;
  const { url: baseUrl, apiKey } = endpoint;
  const model = await createChatModel({ model: 'scripted', baseUrl, apiKey, concurrency });
  const price = () => ({ basis: '' });
  return createModelExtractor({ model, rules, concurrency, maxGroupTokens: groupTokens, price, log: silentLog });
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
const conversations = Array.from({ length: windows / length }, (_, at) => toConversation(length, at * length));
const from = performance.now();
const cpuFrom = process.cpuUsage();
const waiting = [...conversations.entries()];
const outcomes = [];
/** Takes one conversation after the other, until none is left. */
async function record() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [at, conversationHistory] = next;
    outcomes.push(await processor.processTranscript({ userId, conversationHistory, transcriptId: `films-${at}` }));
  }
}
await Promise.all(Array.from({ length: concurrency }, record));
const seconds = (performance.now() - from) / 1_000;
const { user, system } = process.cpuUsage(cpuFrom);
const sum = (toCount) => outcomes.reduce((total, outcome) => total + toCount(outcome), 0);
const dialogue = conversations.reduce((total, text) => total + countTokens(text), 0);
process.send({
  // Microseconds of this process alone, which other programs on the machine do not lengthen as they do the time on the wall.
  cpuSeconds: (user + system) / 1e6,
  seconds,
  times,
  dialogue,
  calls: sum(({ usage }) => usage.calls),
  saved: sum(({ saved }) => saved.length),
  notSaved: sum(({ notSaved }) => notSaved.length),
  failed: sum(({ failed }) => failed.length),
  // Kibibytes on every system.
  peakMiB: process.resourceUsage().maxRSS / 1_024,
});
process.disconnect();

// The endpoint of the benchmark, in a process of its own: answers each window after a delay with two facts that stand in it,
// and refuses every so-manieth request when it is told to. Started by extraction.mjs.
import process from 'node:process';
import { startScriptedOpenAi } from '@contextloom/llm/testing';
import { toFact } from './films.mjs';

const [delayMs, refuseEvery] = process.argv.slice(2).map(Number);
let refused = 0;

function toAnswer({ body }) {
  const piece = String(body.messages?.at(-1)?.content).split('The piece to read:')[1] ?? '';
  const turns = [...piece.matchAll(/^\[(\d+)\]/gmu)].map(([, label]) => Number(label));
  const memories = turns.slice(0, 2).map((turn) => ({
    content: toFact(turn),
    importance: 5,
    memory_type: 'event',
    emotional_valence: null,
    tags: ['film'],
    occurred_at: null,
    evidence: [String(turn)],
  }));
  return { kind: 'answer', text: JSON.stringify({ memories }), delayMs };
}

const endpoint = await startScriptedOpenAi({
  chat: (request, index) => {
    if (refuseEvery === 0 || (index + 1) % refuseEvery !== 0) return toAnswer(request);
    refused += 1;
    return { kind: 'error', status: 429, retryAfter: '1' };
  },
});
// Asked for its counts at the end.
process.on('message', () => process.send({ requests: endpoint.requests.length, refused, peak: endpoint.peak() }));
process.send({ url: endpoint.url, apiKey: endpoint.apiKey });

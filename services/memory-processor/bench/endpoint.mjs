// The endpoint of the benchmark, in a process of its own: answers each window after a delay with two facts that stand in each window, stands by them,
// and refuses every so-manieth request when it is told to. Started by extraction.mjs.
import process from 'node:process';
import { countTokens } from '@contextloom/llm';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { TURNS, toFact } from './films.mjs';

const [delayMs, refuseEvery] = process.argv.slice(2).map(Number);
let refused = 0;

/** Says of every fact that it was said. */
function toVerdicts({ body }) {
  const claims = String(body.messages?.at(-1)?.content).match(/^\d+ \[/gmu) ?? [];
  return JSON.stringify({ verdicts: claims.map((_claim, at) => `${at + 1} supported`) });
}

function toAnswer(request) {
  const { body } = request;
  if (String(body.messages?.[0]?.content).includes('"verdicts"'))
    return { kind: 'answer', text: toVerdicts(request), delayMs };
  const piece = String(body.messages?.at(-1)?.content).split('The piece to read:')[1] ?? '';
  const turns = [...piece.matchAll(/^\[(\d+)\][^\n]*? film number (\d+)/gmu)].map(([, ...numbers]) =>
    numbers.map(Number),
  );
  const begins = turns.filter(([label]) => label % TURNS === 1 || label % TURNS === 2);
  const memories = begins.map(([turn, film]) => ({
    content: toFact(film),
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

/** Tokens that were asked, and those of the instructions among them. */
function countAsked() {
  const known = new Map();
  const count = (text) => known.get(text) ?? known.set(text, countTokens(text)).get(text);
  const asked = endpoint.requests.map(({ body }) => (body.messages ?? []).map(({ content }) => count(String(content))));
  const add = (values) => values.reduce((sum, value) => sum + value, 0);
  return { input: add(asked.flat()), prefix: add(asked.map(([first = 0]) => first)) };
}

// Asked for its counts at the end.
process.on('message', () =>
  process.send({ requests: endpoint.requests.length, refused, peak: endpoint.peak(), ...countAsked() }),
);
process.send({ url: endpoint.url, apiKey: endpoint.apiKey });

// An endpoint that answers as a model would that had drawn the facts of a file, written by hand:
// {"conversation": "<id>", "facts": [{content, importance, memory_type, tags, occurred_at, evidence: ["D1:3"]}]}
import { startScriptedOpenAi } from '@contextloom/llm/testing';

const PIECE = 'The piece to read:';

/** The labels of the turns that a request asks to read. */
function toLabels({ body }) {
  const [, piece = ''] = String(body.messages[1]?.content).split(PIECE);
  return [...piece.matchAll(/^\[([^\]]+)\]/gmu)].map(([, label]) => label);
}

/** Facts belong to the window that holds their first evidence; what stands in another one is not named. */
function answer(facts, request) {
  const labels = toLabels(request);
  const memories = facts
    .filter(({ evidence }) => labels.includes(evidence[0]))
    .map((fact) => ({ ...fact, evidence: fact.evidence.filter((label) => labels.includes(label)) }));
  return { kind: 'answer', text: JSON.stringify({ memories }) };
}

/** Starts the endpoint; its `env` makes the memory processor ask it. */
export async function startFactsModel({ facts }) {
  const endpoint = await startScriptedOpenAi({ chat: (request) => answer(facts, request) });
  const env = { LLM_BASE_URL: endpoint.url, LLM_API_KEY: endpoint.apiKey, LLM_MODEL: 'scripted' };
  return { env, close: () => endpoint.close(), calls: () => endpoint.requests.length };
}

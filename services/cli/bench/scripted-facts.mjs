// An endpoint that answers as a model would that had drawn the facts of a file:
// [{"sample_id": "<id>", "facts": [{"content": "…", "evidence": ["D1:3"], …}]}]
// What a fact does not say of itself (importance, type, tags) is the same for all of them.
import { startScriptedOpenAi } from '@contextloom/testing/llm';

const PIECE = 'The piece to read:';
const USUAL = { importance: 5, memory_type: 'knowledge', tags: [] };

/** The turns that a request asks to read: their labels, and their lines. */
function toLines({ body }) {
  const [, piece = ''] = String(body.messages[1]?.content).split(PIECE);
  return [...piece.matchAll(/^\[([^\]]+)\] (.*)$/gmu)].map(([, label, said]) => ({ label, said }));
}

/** Tells from its turns which conversation a request reads: labels such as D1:3 are in each of them. */
function createFindConversation(conversations) {
  const owners = new Map();
  for (const { sample_id: id, conversation } of conversations) {
    for (const { dia_id: label, speaker, text } of Object.values(conversation).filter(Array.isArray).flat()) {
      const [line] = text.trim().split('\n');
      owners.set(`${label} ${speaker}: ${line}`.slice(0, 60), id);
    }
  }
  return (lines) => lines.map(({ label, said }) => owners.get(`${label} ${said}`.slice(0, 60))).find(Boolean);
}

/** Facts belong to the window that has their first evidence; what is in another one is not named. */
function toMemories(facts, labels) {
  return facts
    .filter(({ evidence }) => labels.includes(evidence[0]))
    .map(({ content, evidence, importance, memory_type, tags, occurred_at }) => ({
      ...USUAL,
      ...JSON.parse(JSON.stringify({ importance, memory_type, tags, occurred_at })),
      content,
      evidence: evidence.filter((label) => labels.includes(label)),
    }));
}

/** Starts the endpoint; its `env` makes the memory processor ask it. */
export async function startFactsModel({ conversations, factSets }) {
  const findConversation = createFindConversation(conversations);
  const factsOf = new Map(factSets.map(({ sample_id: id, facts }) => [id, facts]));
  const chat = (request) => {
    if (String(request.body.messages[0]?.content).includes('"verdicts"')) {
      // The facts of the file are what is measured: each counts as said.
      const claims = String(request.body.messages[1]?.content).match(/^\d+ \[/gmu) ?? [];
      return { kind: 'answer', text: JSON.stringify({ verdicts: claims.map((_, at) => `${at + 1} supported`) }) };
    }
    // Each fact of the file counts as a new one: what it is to others is not told there.
    if (!String(request.body.messages[1]?.content).includes(PIECE))
      return { kind: 'answer', text: '{"decisions": []}' };
    const lines = toLines(request);
    const facts = factsOf.get(findConversation(lines)) ?? [];
    const memories = toMemories(
      facts,
      lines.map(({ label }) => label),
    );
    return { kind: 'answer', text: JSON.stringify({ memories }) };
  };
  const endpoint = await startScriptedOpenAi({ chat });
  const env = { LLM_BASE_URL: endpoint.url, LLM_API_KEY: endpoint.apiKey, LLM_MODEL: 'scripted' };
  return { env, close: () => endpoint.close(), calls: () => endpoint.requests.length };
}

// How much of what answers a question reaches the prompt: ingests conversations with annotated evidence through the
// importer, asks `build_prompt_with_context` every question of categories 1 to 4, and looks for the evidence turns in the
// prompts, word for word.
//
//   npm run bench:evidence -- <conversations.json> [--json] [--facts <facts.json>]
//
// At depths (`memory_top_k`) and in token budgets (`max_tokens`). With a file of facts
// (see scripted-facts.mjs) it measures twice, in one run: with episodes alone, and with the facts as a model would have drawn
// them. A turn counts as told when its words are there, or a fact that names it as evidence; a temporal question (category 2)
// as dated when what tells it begins with its day; `answer words` is the share of an answer's words that are there
// (categories 1, 4).
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { countTokens } from '@contextloom/llm';
import { tokenize } from '@contextloom/retrieval';
import Table from 'cli-table3';
import { mean, peakMemory, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { readQuestionSets } from './locomo.mjs';
import { startFactsModel } from './scripted-facts.mjs';
import { startStack } from './stack.mjs';

const { values: flags, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    persona: { type: 'string', default: 'marlow' },
    facts: { type: 'string' },
    depths: { type: 'string', default: '5,10' },
    tokens: { type: 'string', default: '400,800,1600' },
  },
  allowPositionals: true,
});
const [file] = positionals;
const depths = flags.depths.split(',').map((topK) => ({ topK: Number(topK) }));
const budgets = flags.tokens.split(',').map((maxTokens) => ({ maxTokens: Number(maxTokens) }));
if (file === undefined) {
  process.stderr.write(
    'usage: npm run bench:evidence -- <conversations.json> [--json] [--persona <name>] [--facts <file>] [--depths 5,10] [--tokens 400,800,1600]\n',
  );
  process.exit(2);
}

const DATED = /^\[\d{4}-\d{2}-\d{2}\]/;

/** The memories of a prompt, as it tells them. Further lines of a memory stand indented in it. */
function toTexts(prompt) {
  const [section] = prompt.split('\n\n---\n\n');
  return section
    .split('\n- ')
    .slice(1)
    .map((text) => text.replaceAll('\n  ', '\n'));
}

/** What a prompt tells of a user, and how long that took. */
async function recall(stack, userId, question, { topK, maxTokens }) {
  const started = performance.now();
  const { text } = await stack.buildPrompt({
    persona_name: flags.persona,
    user_id: userId,
    user_query: question,
    ...(topK !== undefined && { memory_top_k: topK }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
  });
  return { milliseconds: performance.now() - started, texts: toTexts(text) };
}

/** The share of an answer's words that some texts have. */
function shareOfWords(answer, texts) {
  const there = new Set(tokenize(texts.join('\n')).terms);
  const words = [...new Set(tokenize(answer).terms)];
  return words.filter((word) => there.has(word)).length / Math.max(1, words.length);
}

/** Asks one question and sees which evidence turns are told, and where. */
async function ask(stack, userId, { question, evidence, category, answer = '' }, limits, facts = []) {
  const { texts, milliseconds } = await recall(stack, userId, question, limits);
  const tellsOf = ({ id, text }) => {
    const drawn = facts.filter((fact) => fact.evidence.includes(id)).map(({ content }) => content);
    return texts.filter((told) => told.includes(text) || drawn.some((content) => told.endsWith(content)));
  };
  const told = evidence.map(tellsOf);
  const found = told.filter(({ length }) => length > 0).length;
  return {
    any: found > 0 ? 1 : 0,
    share: found / evidence.length,
    milliseconds,
    tokens: countTokens(texts.map((text) => `- ${text}`).join('\n')),
    ...(category === 2 && { dated: told.flat().some((text) => DATED.test(text)) ? 1 : 0 }),
    ...((category === 1 || category === 4) && { words: shareOfWords(answer, texts) }),
  };
}

function summarise(answers) {
  return {
    questions: answers.length,
    any_evidence: mean(answers.map(({ any }) => any)),
    mean_share: mean(answers.map(({ share }) => share)),
    temporal_dated: mean(answers.flatMap(({ dated }) => dated ?? [])),
    answer_words: mean(answers.flatMap(({ words }) => words ?? [])),
    tokens_mean: mean(answers.map(({ tokens }) => tokens)),
    ms_p50: percentile(
      answers.map(({ milliseconds }) => milliseconds),
      0.5,
    ),
    ms_p95: percentile(
      answers.map(({ milliseconds }) => milliseconds),
      0.95,
    ),
  };
}

/** The rows of each depth and budget: one a conversation, and one of all. `facts` are by conversation. */
async function measure(stack, sets, facts) {
  const rows = [];
  for (const limits of [...depths, ...budgets]) {
    const all = [];
    const { topK: top_k, maxTokens: max_tokens } = limits;
    for (const { id, questions } of sets) {
      const answers = [];
      for (const question of questions) answers.push(await ask(stack, id, question, limits, facts?.get(id)));
      rows.push({ conversation: id, top_k, max_tokens, ...summarise(answers) });
      all.push(...answers);
    }
    rows.push({ conversation: 'all', top_k, max_tokens, ...summarise(all) });
  }
  return rows;
}

function print({ rows, ingested, turns, memory }) {
  const table = new Table({
    head: [
      'conversation',
      'at',
      'questions',
      'any',
      'share',
      'dated (2)',
      'words (1, 4)',
      'tokens',
      'p50 ms',
      'p95 ms',
    ],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const { conversation, top_k, max_tokens, questions, temporal_dated, answer_words, tokens_mean, ms_p50, ms_p95 } =
      row;
    const shares = [row.any_evidence, row.mean_share, temporal_dated, answer_words].map((share) => share.toFixed(3));
    const at = top_k === undefined ? `${max_tokens} tokens` : `top ${top_k}`;
    table.push([conversation, at, questions, ...shares, tokens_mean.toFixed(0), ms_p50.toFixed(1), ms_p95.toFixed(1)]);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    `ingest: ${turns} turns in ${ingested.seconds.toFixed(1)} s (${(turns / ingested.seconds).toFixed(0)} turns/s)\n`,
  );
  const shown = Object.entries(memory).map(
    ([name, mib]) => `${name} ${mib === undefined ? 'unknown' : `${mib.toFixed(0)} MiB`}`,
  );
  process.stdout.write(`peak memory: ${shown.join(', ')}\n`);
  process.stdout.write(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
}

/** Everything from an empty knowledge base to the numbers; a model, when there is one, draws facts. */
async function run(sets, { facts, env } = {}) {
  const stack = await startStack([flags.persona]);
  try {
    const ingested = await stack.ingest(file, ['--user-from-transcript'], env);
    await ask(stack, 'nobody', { question: 'warm up', evidence: [] }, { topK: 1 });
    const rows = await measure(stack, sets, facts);
    const memory = { 'knowledge base': peakMemory(stack.pid), 'this process': peakMemory(process.pid) };
    const turns = sets.reduce((sum, { turnCount }) => sum + turnCount, 0);
    return { rows, ingested, turns, memory };
  } finally {
    await stack.close();
  }
}

/** Episodes alone, and then with the facts of the file. */
async function compare(sets, factSets) {
  const facts = new Map(factSets.map(({ sample_id: id, facts: own }) => [id, own]));
  const without = await run(sets, { facts: new Map() });
  const model = await startFactsModel({ conversations: [JSON.parse(await readFile(file, 'utf8'))].flat(), factSets });
  try {
    const withFacts = await run(sets, { facts, env: model.env });
    return { 'episodes alone': without, 'with facts': { ...withFacts, calls: model.calls() } };
  } finally {
    await model.close();
  }
}

const sets = readQuestionSets(await readFile(file, 'utf8'));
const results =
  flags.facts === undefined
    ? { 'episodes alone': await run(sets) }
    : await compare(sets, JSON.parse(await readFile(flags.facts, 'utf8')));
if (flags.json) process.stdout.write(`${JSON.stringify(flags.facts ? results : results['episodes alone'], null, 2)}\n`);
else {
  for (const [name, result] of Object.entries(results)) {
    process.stdout.write(`${name}\n`);
    print(result);
  }
}

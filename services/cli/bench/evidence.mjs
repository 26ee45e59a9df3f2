// How much of what answers a question reaches the prompt: ingests conversations with annotated evidence through the batch
// command, asks `build_prompt_with_context` every question of categories 1 to 4, and looks for the evidence turns in the
// prompts, word for word.
//
//   npm run bench:evidence -- <conversations.json> [--json] [--facts <facts.json>]
//
// With a file of facts (see scripted-facts.mjs) it measures the conversation that they were drawn from twice, in one run:
// with episodes alone, and with the facts beside them, as a model would have drawn them. A turn then counts as found when
// the prompt holds its words, or a fact that names it as evidence: a prompt shows a fact instead of its episode.
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { countTokens } from '@contextloom/llm';
import Table from 'cli-table3';
import { readQuestionSets } from './locomo.mjs';
import { startFactsModel } from './scripted-facts.mjs';
import { startStack } from './stack.mjs';
import { mean, peakMemory, percentile } from './statistics.mjs';

const { values: flags, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    persona: { type: 'string', default: 'marlow' },
    facts: { type: 'string' },
    depths: { type: 'string', default: '5,10' },
  },
  allowPositionals: true,
});
const [file] = positionals;
const depths = flags.depths.split(',').map(Number);
if (file === undefined) {
  process.stderr.write(
    'usage: npm run bench:evidence -- <conversations.json> [--json] [--persona <name>] [--facts <file>] [--depths 5,10]\n',
  );
  process.exit(2);
}

/** Whether a prompt tells what was said in a turn: word for word, or in a fact drawn from it. */
function tells(prompt, { id, text }, facts) {
  if (prompt.includes(text)) return true;
  return facts.some(({ content, evidence }) => evidence.includes(id) && prompt.includes(content));
}

/** Asks one question and sees which evidence turns its prompt tells. Further lines of a memory stand indented in it. */
async function ask(stack, userId, { question, evidence }, topK, facts = []) {
  const started = performance.now();
  const args = { persona_name: flags.persona, user_id: userId, user_query: question, memory_top_k: topK };
  const { text } = await stack.buildPrompt(args);
  const milliseconds = performance.now() - started;
  const prompt = text.replaceAll('\n  ', '\n');
  const found = evidence.filter((turn) => tells(prompt, turn, facts)).length;
  return {
    any: found > 0 ? 1 : 0,
    share: found / evidence.length,
    tokens: countTokens(text),
    milliseconds,
  };
}

function summarise(answers) {
  return {
    questions: answers.length,
    any_evidence: mean(answers.map(({ any }) => any)),
    mean_share: mean(answers.map(({ share }) => share)),
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

async function measure(stack, sets, facts) {
  const rows = [];
  for (const topK of depths) {
    const all = [];
    for (const { id, questions } of sets) {
      const answers = [];
      for (const question of questions) answers.push(await ask(stack, id, question, topK, facts));
      rows.push({ conversation: id, top_k: topK, ...summarise(answers) });
      all.push(...answers);
    }
    rows.push({ conversation: 'all', top_k: topK, ...summarise(all) });
  }
  return rows;
}

function print({ rows, ingested, turns, memory }) {
  const table = new Table({
    head: ['conversation', 'top_k', 'questions', 'any evidence', 'mean share', 'tokens/prompt', 'p50 ms', 'p95 ms'],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const { conversation, top_k, questions, any_evidence, mean_share, tokens_mean, ms_p50, ms_p95 } = row;
    const shares = [any_evidence.toFixed(3), mean_share.toFixed(3), tokens_mean.toFixed(0)];
    table.push([conversation, top_k, questions, ...shares, ms_p50.toFixed(1), ms_p95.toFixed(1)]);
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
    await ask(stack, 'nobody', { question: 'warm up', evidence: [] }, 1);
    const rows = await measure(stack, sets, facts);
    const memory = { 'knowledge base': peakMemory(stack.pid), 'this process': peakMemory(process.pid) };
    const turns = sets.reduce((sum, { turnCount }) => sum + turnCount, 0);
    return { rows, ingested, turns, memory };
  } finally {
    await stack.close();
  }
}

/** Episodes alone, and then with the facts of the file. */
async function compare(sets, { conversation, facts }) {
  const own = sets.filter(({ id }) => id === conversation);
  const without = await run(own);
  const model = await startFactsModel({ facts });
  try {
    const withFacts = await run(own, { facts, env: model.env });
    return { 'episodes alone': without, [`with ${facts.length} facts`]: withFacts };
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

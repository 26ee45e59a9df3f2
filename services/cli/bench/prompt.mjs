// Whether the prompt holds what an everyday question needs: two people's conversations over two years, in English and in
// Chinese, with moves, changed jobs and partners, corrected dates, negations, jokes and other people's facts; twenty
// questions each in several wordings; and small talk, which needs nothing.
//
//   npm run bench:prompt [-- <set.json>] [--misses] [--json]
//
// The set is a list of {language, user_id, persona, conversation, now?, questions, small_talk}; see sets/everyday.json.
// needs: of each group one wording has to stand in the memories. current: the last of the `now` words has to stand after
// the last of the `before` words.
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countTokens } from '@contextloom/llm';
import Table from 'cli-table3';
import { startStack } from './stack.mjs';
import { mean, percentile } from './statistics.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: flags, positionals } = parseArgs({
  options: {
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const file = resolve(positionals[0] ?? join(here, 'sets/everyday.json'));

/** What stands before the persona's prompt; empty where no memories were told. */
function memoriesOf(prompt, personaPrompt) {
  if (!prompt.endsWith(personaPrompt)) throw new Error('the persona prompt was changed');
  return prompt.slice(0, prompt.length - personaPrompt.length);
}

const lastOf = (text, words) => Math.max(-1, ...words.map((word) => text.lastIndexOf(word)));

function judge(memories, { needs, current }) {
  const has = needs.every((group) => group.some((word) => memories.includes(word)));
  const isLast =
    current === undefined
      ? undefined
      : lastOf(memories, current.now) >= 0 && lastOf(memories, current.now) > lastOf(memories, current.before);
  return { has, isLast };
}

async function measure(stack, set) {
  const ask = async (query) => {
    const args = { persona_name: set.persona, user_id: set.user_id, user_query: query };
    return (await stack.buildPrompt(args)).text;
  };
  const personaPrompt = (
    await stack.buildPrompt({ persona_name: set.persona, user_id: `${set.user_id}-unknown`, user_query: '' })
  ).text;
  const answers = [];
  for (const question of set.questions) {
    for (const [wording, text] of question.texts.entries()) {
      const memories = memoriesOf(await ask(text), personaPrompt);
      answers.push({ text, wording, tokens: countTokens(memories), ...judge(memories, question) });
    }
  }
  const smallTalk = [];
  for (const text of set.small_talk) {
    smallTalk.push({ text, tokens: countTokens(memoriesOf(await ask(text), personaPrompt)) });
  }
  return { language: set.language, answers, smallTalk };
}

function summarise({ language, answers, smallTalk }) {
  const share = (list) => mean(list.map((value) => (value ? 1 : 0)));
  const changes = answers.filter(({ isLast }) => isLast !== undefined);
  const tokens = answers.map((answer) => answer.tokens);
  return {
    language,
    wordings: answers.length,
    needed: share(answers.map(({ has }) => has)),
    needed_first_wording: share(answers.filter(({ wording }) => wording === 0).map(({ has }) => has)),
    current_last: share(changes.map(({ isLast }) => isLast)),
    tokens_mean: mean(tokens),
    tokens_max: percentile(tokens, 1),
    small_talk_tokens_max: percentile(
      smallTalk.map((answer) => answer.tokens),
      1,
    ),
  };
}

function print(rows) {
  const head = ['set', 'wordings', 'needed', 'first wording', 'current last', 'tokens', 'most', 'small talk, most'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) {
    const shares = [row.needed, row.needed_first_wording, row.current_last].map((value) => value.toFixed(2));
    table.push([
      row.language,
      row.wordings,
      ...shares,
      row.tokens_mean.toFixed(0),
      row.tokens_max,
      row.small_talk_tokens_max,
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
}

function printMisses({ language, answers, smallTalk }) {
  for (const { text, has, isLast, tokens } of answers) {
    if (!has) process.stdout.write(`${language}  needed words missing  ${text} (${tokens} tokens)\n`);
    if (isLast === false) process.stdout.write(`${language}  current not last      ${text}\n`);
  }
  for (const { text, tokens } of smallTalk) {
    if (tokens > 0) process.stdout.write(`${language}  small talk            ${text} (${tokens} tokens)\n`);
  }
}

const sets = JSON.parse(await readFile(file, 'utf8'));
const shipped = JSON.parse(await readFile(join(here, '../../../mcp_config.json'), 'utf8'));
const stack = await startStack([...new Set(sets.map(({ persona }) => persona))], {
  max_tokens: shipped.aggregator.max_tokens,
  contextSources: shipped.contextSources,
});
try {
  const results = [];
  for (const set of sets) {
    await stack.ingest(join(dirname(file), set.conversation), ['--user', set.user_id]);
    results.push(await measure(stack, set));
  }
  const rows = results.map(summarise);
  if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else print(rows);
  if (flags.misses) results.forEach(printMisses);
} finally {
  await stack.close();
}

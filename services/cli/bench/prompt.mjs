// Whether the prompt holds what an everyday question needs: two people's conversations over two years, in English and in
// Chinese, with moves, changed jobs and partners, corrected dates, negations, jokes and other people's facts; twenty
// questions each in several wordings; questions about nothing that was said, and small talk, which need nothing. Around the
// two lives ten times as many turns about other things are stored, or as many times as --talk says.
//
//   npm run bench:prompt [-- <set.json>] [--talk <times>] [--placement last_message] [--misses] [--json]
//
// The set is a list of {language, user_id, persona, conversation, now?, questions, unrelated, small_talk}; see sets/everyday.json.
// needs: of each group one wording has to stand in the memories. current: the last of the `now` words has to stand after
// the last of the `before` words.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countTokens } from '@contextloom/llm';
import Table from 'cli-table3';
import { mean, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { createOtherTalk } from './other-talk.mjs';
import { startStack } from './stack.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: flags, positionals } = parseArgs({
  options: {
    talk: { type: 'string', default: '10' },
    placement: { type: 'string', default: 'before_persona' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const file = resolve(positionals[0] ?? join(here, 'sets/everyday.json'));

/** What is told besides the persona's prompt; empty where no memories were. */
function memoriesOf({ text, structured }, personaPrompt) {
  if (flags.placement === 'before_persona') {
    if (!text.endsWith(personaPrompt)) throw new Error('the persona prompt was changed');
    return text.slice(0, text.length - personaPrompt.length);
  }
  if (!text.startsWith(personaPrompt)) throw new Error('the persona prompt was changed');
  return structured.parts
    .filter(({ kind }) => kind !== 'persona')
    .map((part) => part.text)
    .join('');
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
    const { persona, user_id } = set;
    return stack.buildPrompt({ persona_name: persona, user_id, user_query: query, placement: flags.placement });
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
  const askAll = async (texts) => {
    const asked = [];
    for (const text of texts) asked.push({ text, tokens: countTokens(memoriesOf(await ask(text), personaPrompt)) });
    return asked;
  };
  const unrelated = await askAll(set.unrelated ?? []);
  return { language: set.language, answers, unrelated, smallTalk: await askAll(set.small_talk) };
}

/** Stores a life and the talk around it. */
async function ingest(stack, set) {
  const path = join(dirname(file), set.conversation);
  await stack.ingest(path, ['--user', set.user_id]);
  if (Number(flags.talk) === 0) return;
  const texts = JSON.parse(await readFile(join(here, 'sets/other-talk.json'), 'utf8'));
  const talk = createOtherTalk(JSON.parse(await readFile(path, 'utf8')), texts[set.language], Number(flags.talk));
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-talk-'));
  try {
    await writeFile(join(folder, 'talk.json'), JSON.stringify(talk));
    await stack.ingest(join(folder, 'talk.json'), ['--user', set.user_id]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function summarise({ language, answers, unrelated, smallTalk }) {
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
    unrelated_told: share(unrelated.map((answer) => answer.tokens >= 30)),
    unrelated_tokens_p50: percentile(
      unrelated.map((answer) => answer.tokens),
      0.5,
    ),
    small_talk_tokens_max: percentile(
      smallTalk.map((answer) => answer.tokens),
      1,
    ),
  };
}

function print(rows) {
  const head = ['set', 'wordings', 'needed', 'first wording', 'current last', 'tokens', 'most'];
  head.push('unrelated: 30 tokens or more', 'median', 'small talk, most');
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) {
    const shares = [row.needed, row.needed_first_wording, row.current_last].map((value) => value.toFixed(2));
    table.push([
      row.language,
      row.wordings,
      ...shares,
      row.tokens_mean.toFixed(0),
      row.tokens_max,
      row.unrelated_told.toFixed(2),
      row.unrelated_tokens_p50,
      row.small_talk_tokens_max,
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
}

function printMisses({ language, answers, unrelated, smallTalk }) {
  for (const { text, has, isLast, tokens } of answers) {
    if (!has) process.stdout.write(`${language}  needed words missing  ${text} (${tokens} tokens)\n`);
    if (isLast === false) process.stdout.write(`${language}  current not last      ${text}\n`);
  }
  for (const { text, tokens } of unrelated) {
    if (tokens >= 30) process.stdout.write(`${language}  unrelated             ${text} (${tokens} tokens)\n`);
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
    await ingest(stack, set);
    results.push(await measure(stack, set));
  }
  const rows = results.map(summarise);
  if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else print(rows);
  if (flags.misses) results.forEach(printMisses);
} finally {
  await stack.close();
}

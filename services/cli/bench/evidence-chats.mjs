// How much of what answers a question about chats with an assistant reaches the prompt: imports BEAM-shaped chats as anybody's
// export through the importer, asks `build_prompt_with_context` their probing questions, and looks for the messages that the
// questions name as their sources.
//
//   npm run bench:evidence:chats -- <folder of numbered chats> [--tokens 800,1600] [--json]
//
// A message counts as told when all its words are there; one of over 400 characters by a whole passage of it, a paragraph or a list.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { countTokens } from '@contextloom/llm';
import { mean, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { startStack } from './stack.mjs';

const LONG = 400;
/** A passage shorter than this may stand anywhere. */
const SHORTEST_PASSAGE = 60;
const PERSONA = 'marlow';

const { values: flags, positionals } = parseArgs({
  options: { tokens: { type: 'string', default: '800,1600' }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write(
    'usage: npm run bench:evidence:chats -- <folder of numbered chats> [--tokens 800,1600] [--json]\n',
  );
  process.exit(2);
}
const budgets = flags.tokens.split(',').map(Number);

const readJson = async (...parts) => JSON.parse(await readFile(join(...parts), 'utf8'));
const toWords = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
const withoutMark = (text) => text.replace(/\s*->->[\s\d,]*$/u, '');
const toIds = (source) =>
  typeof source === 'object' && source !== null ? Object.values(source).flatMap(toIds) : [source];

/** What of a message has to be in a prompt: one of these, whole. */
function toPassages(content) {
  if (content.length <= LONG) return [toWords(content)];
  const blocks = content.split(/\n\s*\n/u).map(toWords);
  const long = blocks.filter(({ length }) => length >= SHORTEST_PASSAGE);
  return long.length > 0 ? long : [toWords(content)];
}

/** A chat as its messages by sitting, and its questions with the passages of the messages that answer them. */
async function readChat(number) {
  const batches = await readJson(folder, number, 'chat.json');
  const sittings = batches.map(({ turns }) =>
    turns
      .flat()
      .map(({ id, role, content, time_anchor: anchor }) => ({ id, role, content: withoutMark(content), anchor })),
  );
  const messages = new Map(sittings.flat().map((message) => [message.id, message.content]));
  const probing = await readJson(folder, number, 'probing_questions', 'probing_questions.json');
  const questions = Object.entries(probing).flatMap(([kind, entries]) =>
    entries.map(({ question, source_chat_ids: source = [] }) => {
      const ids = [...new Set(toIds(source))].filter((id) => messages.has(id));
      return { question, kind, evidence: ids.map((id) => toPassages(messages.get(id))) };
    }),
  );
  return { user: `chat-${number}`, sittings, questions };
}

/** The day of a sitting, `March-15-2024`, as a date. */
function toDate(sitting) {
  const anchor = sitting.find((message) => message.anchor !== undefined)?.anchor;
  const time = Date.parse(`${String(anchor).replaceAll('-', ' ')} UTC`);
  return Number.isNaN(time) ? [] : ['--date', new Date(time).toISOString().slice(0, 10)];
}

async function ingest(stack, { user, sittings }, place) {
  for (const [at, sitting] of sittings.entries()) {
    const file = join(place, `${user}-${at + 1}.json`);
    await writeFile(file, JSON.stringify({ messages: sitting.map(({ role, content }) => ({ role, content })) }));
    await stack.ingest(file, ['--user', user, '--transcript-id', `${user}-${at + 1}`, ...toDate(sitting)]);
  }
}

/** The lines of a prompt that tell memories. */
function toMemories(prompt) {
  const [section] = prompt.split('\n\n---\n\n');
  const lines = section.split('\n- ').slice(1);
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Asks one question within a budget: how many of the messages are told, and what the memories cost. */
async function ask(stack, user, { question, evidence }, maxTokens) {
  const started = performance.now();
  const args = { persona_name: PERSONA, user_id: user, user_query: question, max_tokens: maxTokens };
  const { text } = await stack.buildPrompt(args);
  const memories = toMemories(text);
  const words = toWords(memories);
  const told = evidence.filter((passages) => passages.some((passage) => words.includes(passage))).length;
  return {
    milliseconds: performance.now() - started,
    tokens: countTokens(memories),
    any: told > 0 ? 1 : 0,
    share: evidence.length === 0 ? 0 : told / evidence.length,
  };
}

/** The first prompt starts the servers, which on a busy machine takes longer than a call waits. */
async function startServers(stack) {
  for (let left = 20; left > 0; left -= 1) {
    const failure = await ask(stack, 'nobody', { question: 'warm up', evidence: [] }, 100).then(
      () => undefined,
      (error) => error,
    );
    if (failure === undefined) return;
    if (left === 1) throw failure;
  }
}

async function measure(stack, chats, maxTokens) {
  const [answered, unanswered] = [[], []];
  for (const { user, questions } of chats) {
    for (const question of questions) {
      const answer = await ask(stack, user, question, maxTokens);
      (question.evidence.length > 0 ? answered : unanswered).push(answer);
    }
  }
  const meanOf = (answers, name) => mean(answers.map((answer) => answer[name]));
  return {
    max_tokens: maxTokens,
    questions: answered.length,
    any_evidence: meanOf(answered, 'any'),
    mean_share: meanOf(answered, 'share'),
    tokens: meanOf(answered, 'tokens'),
    unanswerable: unanswered.length,
    tokens_unanswerable: meanOf(unanswered, 'tokens'),
    ms_p50: percentile(
      answered.map(({ milliseconds }) => milliseconds),
      0.5,
    ),
  };
}

const numbers = (await readdir(folder)).filter((name) => /^\d+$/u.test(name)).sort((a, b) => Number(a) - Number(b));
const chats = await Promise.all(numbers.map(readChat));
const place = await mkdtemp(join(tmpdir(), 'contextloom-evidence-'));
const stack = await startStack([PERSONA]);
try {
  await startServers(stack);
  for (const chat of chats) await ingest(stack, chat, place);
  const rows = [];
  for (const budget of budgets) rows.push(await measure(stack, chats, budget));
  if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
} finally {
  await stack.close();
  await rm(place, { recursive: true, force: true });
}

// How well true facts are told from wrong ones, by kind and language: by exact checks alone, and with a model that is asked about
// what they leave. Facts that a real model wrote of conversations in LoCoMo's form, as they are and changed; and labelled cases of
// ordinary conversations. For people, not for CI.
//
//   npm run bench:judge -- [<facts.json> <conversations.json>] [--cases <file>] [--show] [--ask]
//
// --ask: asks the model of LLM_MODEL, LLM_BASE_URL and LLM_API_KEY about each fact that exact checks do not refuse for good.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createChatModel } from '@contextloom/llm';
import { judgeFacts } from '../build/domain/grounding/check-facts.js';
import { isChinese } from '../build/domain/grounding/script.js';
import { checkByAsking } from '../build/extraction/ask-support.js';
import { parseCases } from './judge-cases.mjs';
import { changes } from './judge-changes.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', multiple: true },
    show: { type: 'boolean', default: false },
    ask: { type: 'boolean', default: false },
  },
});

const { LLM_MODEL: name = 'gpt-4.1-mini', LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey } = process.env;
const model = flags.ask ? await createChatModel({ model: name, baseUrl, apiKey }) : undefined;

/** What becomes of a fact with each way to check; `reason` is that of exact checks. */
async function judge({ turns, before, speakers, date }, { content, evidence }) {
  const draft = { content, importance: 5, memoryType: 'knowledge', tags: [], evidence };
  const judged = judgeFacts([draft], { turns, before, speakers, date, maxFacts: 12 });
  const { facts, rejected, doubtful } = judged;
  const language = isChinese(content) ? 'zh' : 'en';
  const asking = { date, language, signal: new AbortController().signal, onUsage: () => undefined, check: 'all' };
  const asked = model && (await checkByAsking(model, judged, asking));
  return {
    isKept: facts.length > 0,
    isDoubtful: doubtful.length > 0,
    isFinal: facts.length === 0 && doubtful.length === 0,
    isKeptByModel: asked && asked.judged.facts.length > 0,
    reason: rejected[0]?.reason ?? doubtful[0]?.doubt.reason,
  };
}

const rows = new Map();
async function count(kind, isTrue, ground, fact) {
  const row = rows.get(kind) ?? { isTrue, all: 0, off: 0, doubtful: 0, unasked: 0, final: 0, asked: 0 };
  rows.set(kind, row);
  const { isKept, isDoubtful, isFinal, isKeptByModel, reason } = await judge(ground, fact);
  const isWrong = isKept !== isTrue;
  row.all += 1;
  if (isWrong) row.off += 1;
  if (isDoubtful) row.doubtful += 1;
  // What a second reader without mistakes would leave wrong: what it is not asked about.
  if (isWrong && !isDoubtful) row.unasked += 1;
  if (isFinal) row.final += 1;
  if (isKeptByModel !== undefined && isKeptByModel !== isTrue) row.asked += 1;
  if (isWrong && flags.show) process.stdout.write(`${kind}: ${fact.content} (${reason ?? 'kept'})\n`);
}

async function runFacts(files) {
  const [all, conversations] = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  for (const [kind, change] of Object.entries(changes)) {
    for (const { ground, fact } of change(conversations, all)) {
      await count(`LoCoMo ${kind}`, kind === 'true', ground, fact);
    }
  }
}

async function runCases(file) {
  for (const { ground, fact, isTrue, set } of parseCases(await readFile(file, 'utf8'))) {
    const language = /\p{Script=Han}/u.test(fact.content) ? 'Chinese' : 'English';
    await count(`${language}, ${set}, ${isTrue ? 'true' : 'wrong'}`, isTrue, ground, fact);
  }
}

if (positionals.length === 2) await runFacts(positionals);
const sets = ['', 'hard-', 'more-', 'held-out-', 'stances-', 'held-out-stances-', 'classes-'];
const own = ['en', 'zh']
  .flatMap((language) => sets.map((set) => `${set}${language}`))
  .map((name) => `judge-cases-${name}.txt`)
  .map((file) => fileURLToPath(new URL(file, import.meta.url)));
for (const file of flags.cases ?? own) await runCases(file);

const percent = (part, all) => `${((100 * part) / all).toFixed(1)} %`;
const head = [
  'facts',
  'number',
  'refused for good by exact checks',
  'off: wrongly judged',
  'doubtful: asked about',
  'doubtful: wrongly judged if the reader makes no mistake',
  'all: the same',
  ...(model ? [`all: wrongly judged with ${name}`] : []),
];
const table = [...rows].map(([kind, { isTrue, all, off, doubtful, unasked, final, asked }]) => [
  kind,
  all,
  percent(final, all),
  `${percent(off, all)} ${isTrue ? 'refused' : 'accepted'}`,
  percent(doubtful, all),
  percent(unasked, all),
  percent(isTrue ? final : 0, all),
  ...(model ? [percent(asked, all)] : []),
]);
const lines = [head, head.map(() => '---'), ...table].map((cells) => `| ${cells.join(' | ')} |`);
process.stdout.write(`\n${lines.join('\n')}\n`);

// How well rules tell true facts from wrong ones, by kind and language: facts that a real model wrote of conversations in
// LoCoMo's form, as they are and changed; and labelled cases of ordinary conversations. For people, not for CI.
//
//   npm run bench:judge -- [<facts.json> <conversations.json>] [--cases <file>] [--show]
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judgeFacts } from '../build/domain/grounding/check-facts.js';
import { parseCases } from './judge-cases.mjs';
import { changes } from './judge-changes.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', multiple: true },
    show: { type: 'boolean', default: false },
  },
});

/** What rules say: kept, refused or in doubt, and the reason. */
function judge({ turns, before, speakers, date }, { content, evidence }) {
  const draft = { content, importance: 5, memoryType: 'knowledge', tags: [], evidence };
  const ground = { turns, before, speakers, date, maxFacts: 12 };
  const { facts, rejected, doubtful } = judgeFacts([draft], ground);
  return {
    isKept: facts.length > 0,
    isDoubtful: doubtful.length > 0,
    reason: rejected[0]?.reason ?? doubtful[0]?.doubt.reason,
  };
}

const rows = new Map();
function count(kind, isTrue, verdict, shown) {
  const row = rows.get(kind) ?? { isTrue, all: 0, wrong: 0, hard: 0, doubtful: 0 };
  rows.set(kind, row);
  const isWrong = verdict.isKept !== isTrue;
  row.all += 1;
  if (isWrong) row.wrong += 1;
  // What a perfect second reader would leave wrong: what was not in doubt.
  if (isWrong && !verdict.isDoubtful) row.hard += 1;
  if (verdict.isDoubtful) row.doubtful += 1;
  if (isWrong && flags.show) process.stdout.write(`${kind}: ${shown} (${verdict.reason ?? 'kept'})\n`);
}

async function runFacts(files) {
  const [all, conversations] = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  for (const [kind, change] of Object.entries(changes)) {
    for (const { ground, fact } of change(conversations, all)) {
      count(`LoCoMo ${kind}`, kind === 'true', judge(ground, fact), fact.content);
    }
  }
}

async function runCases(file) {
  for (const { ground, fact, isTrue, set } of parseCases(await readFile(file, 'utf8'))) {
    const language = /\p{Script=Han}/u.test(fact.content) ? 'Chinese' : 'English';
    count(`${language}, ${set}, ${isTrue ? 'true' : 'wrong'}`, isTrue, judge(ground, fact), fact.content);
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
process.stdout.write(
  '\n| facts | number | wrongly judged by rules | of these not in doubt | in doubt |\n| --- | --- | --- | --- | --- |\n',
);
for (const [kind, { isTrue, all, wrong, hard, doubtful }] of rows) {
  const error = `${percent(wrong, all)} ${isTrue ? 'refused' : 'accepted'}`;
  process.stdout.write(`| ${kind} | ${all} | ${error} | ${percent(hard, all)} | ${percent(doubtful, all)} |\n`);
}

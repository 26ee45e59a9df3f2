// Whether each store finds what is meant, and knows when it has nothing: two people and a software project, in English and in
// Chinese, 50 memories each; 40 questions that one of them answers, in the same words, in other words and in the other
// language; 30 that none answers; and keywords that only look like words of the memories.
//
//   npm run bench:understanding [-- --encoder] [--held-out] [--store <title>] [--set <name>] [--misses] [--json]
//
// --held-out asks others in their place: some twenty in other words, and fifteen that no memory answers, written by somebody who had not read
// the thesaurus and after it was finished. Nothing is to be tuned on them.
// --encoder measures with a small English encoder instead of the default embedder, on the English sets alone.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GRADES, toSureness } from '@contextloom/retrieval/ranking';
import Table from 'cli-table3';
import { mean } from '../../../shared/tooling/bench-figures.mjs';
import { startStores } from './understanding/stores.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'understanding/sets');
const { values: flags } = parseArgs({
  options: {
    encoder: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    store: { type: 'string' },
    set: { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

async function readSets() {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const sets = await Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.json$/, '').replace('.', '-'),
      ...JSON.parse(await readFile(join(folder, file), 'utf8')),
    })),
  );
  return sets
    .filter(({ language }) => !flags.encoder || language === 'en')
    .filter(({ name }) => flags.set === undefined || name === flags.set)
    .map((set) => (flags['held-out'] ? { ...set, ...set.held_out } : set));
}

/** How often a score of the first kind is above one of the second; ties count half. */
function areaUnderCurve(right, wrong) {
  const wins = right.map((a) => mean(wrong.map((b) => (a > b ? 1 : a === b ? 0.5 : 0))));
  return mean(wins);
}

const topScore = (hits) => Math.max(0, ...hits.map(({ score }) => score));
/** How sure it is that one of the hits answers, which decides what a model gets. */
const sureOf = (hits) => toSureness(hits.map(({ score }) => score));
const share = (list) => (list.length === 0 ? undefined : mean(list.map((value) => (value ? 1 : 0))));

async function measure(store, set) {
  for (const text of Object.values(set.memories)) await store.add(set.name, text);
  const answered = [];
  for (const { kind, text, answer } of set.questions) {
    const hits = await store.find(set.name, text);
    const place = hits.findIndex((hit) => hit.text.includes(set.memories[answer]));
    answered.push({ kind, text, place, top: topScore(hits), hits });
  }
  const nothing = [];
  for (const text of set.unanswerable) {
    const hits = await store.find(set.name, text);
    nothing.push({ text, top: topScore(hits), hits });
  }
  const falseHits = [];
  for (const keyword of store.findByKeyword === undefined ? [] : set.keyword_traps) {
    falseHits.push(...(await store.findByKeyword(set.name, keyword)).map((hit) => ({ keyword, hit })));
  }
  return {
    store: store.title,
    set: set.name,
    answered,
    nothing,
    falseHits,
    hasKeywords: store.findByKeyword !== undefined,
  };
}

function summarise({ store, set, answered, nothing, falseHits, hasKeywords }) {
  const among3 = (kind) =>
    share(answered.filter((one) => one.kind === kind).map(({ place }) => place >= 0 && place < 3));
  // What is asked in the other language has no words in common with its answer: it says nothing of the score.
  const inLanguage = answered.filter(({ kind }) => kind !== 'cross');
  return {
    store,
    set,
    same: among3('same'),
    other: among3('other'),
    cross: among3('cross'),
    nothing_told: share(nothing.map(({ hits }) => sureOf(hits) >= GRADES.least)),
    nothing_sure: share(nothing.map(({ hits }) => sureOf(hits) >= GRADES.sure)),
    auc: areaUnderCurve(
      inLanguage.map(({ top }) => top),
      nothing.map(({ top }) => top),
    ),
    keyword_false_hits: hasKeywords ? falseHits.length : undefined,
  };
}

const say = (line) => process.stdout.write(`${line}\n`);

function printMisses({ store, set, answered, nothing, falseHits }) {
  say(`\n${store}, ${set}`);
  for (const { kind, text, place, hits } of answered) {
    if (place < 0 || place >= 3) say(`  ${kind}: ${text} → ${hits[0]?.score ?? '-'} ${hits[0]?.text ?? ''}`);
  }
  for (const { text, hits } of nothing) {
    if (sureOf(hits) >= GRADES.least) say(`  nothing: ${text} → ${hits.length}: ${hits[0].score} ${hits[0].text}`);
  }
  for (const { keyword, hit } of falseHits) say(`  keyword: ${keyword} → ${JSON.stringify(hit)}`);
}

const sets = await readSets();
const { startEncoder } = flags.encoder ? await import('../../../shared/tooling/encoder.mjs') : {};
const encoder = await startEncoder?.();
const running = await startStores(
  sets.map(({ name }) => name),
  encoder?.settings ?? {},
);
const results = [];
try {
  for (const store of running.stores.filter(({ title }) => flags.store === undefined || title === flags.store)) {
    for (const set of sets) results.push(await measure(store, set));
  }
} finally {
  await running.close();
  encoder?.close();
}
if (flags.misses) for (const result of results) printMisses(result);
const summaries = results.map(summarise);
if (flags.json) process.stdout.write(`${JSON.stringify(summaries)}\n`);
else {
  const percent = (value) => (value === undefined ? '' : `${Math.round(100 * value)} %`);
  const table = new Table({
    head: [
      'store',
      'set',
      'same words',
      'other words',
      'other language',
      'nothing: told',
      'nothing: sure',
      'AUC',
      'false by keyword',
    ],
  });
  for (const one of summaries) {
    table.push([
      one.store,
      one.set,
      percent(one.same),
      percent(one.other),
      percent(one.cross),
      percent(one.nothing_told),
      percent(one.nothing_sure),
      one.auc.toFixed(2),
      one.keyword_false_hits ?? '',
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
}

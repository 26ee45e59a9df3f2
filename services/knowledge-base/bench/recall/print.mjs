import { cpus } from 'node:os';
import process from 'node:process';
import { toTable } from '../../../../shared/tooling/bench-figures.mjs';
import { OWN } from './measure.mjs';
import { estimate, isWhole, measureNames, subtract } from './statistics.mjs';

const say = (text) => process.stdout.write(`${text}\n`);
const toShare = (value) =>
  value
    .toFixed(3)
    .replace(/^-0\.000$/, '0.000')
    .replace(/^(-?)0\./, '$1.');
const toSigned = (value) => toShare(value).replace(/^(?!-)/, '+');
const toCell = ([mean, low, high]) => `${toShare(mean)} [${toShare(low)}, ${toShare(high)}]`;

/** A difference, starred where its interval is on one side of zero. */
function toDifferenceCell([mean, low, high]) {
  const star = low > 0 || high < 0 ? ' *' : '';
  return `${toSigned(mean)} [${toSigned(low)}, ${toSigned(high)}]${star}`;
}

const toRow = (label, { unit, questions, values }, cell) => [label, unit, questions, ...values.map(cell)];
const head = (label) => [label, 'unit', 'questions', ...measureNames];
/** Rows of turns first, then those of sessions, so that like stands under like. */
const byUnit = (rows) => [...rows].sort((a, b) => Number(b[1] === 'turns') - Number(a[1] === 'turns'));

function printMethods(questions, isClustered) {
  const methods = Object.keys(questions[0].scores);
  const estimates = methods.flatMap((method) =>
    estimate(questions, ({ scores }) => scores[method], isClustered)
      .filter(({ group }) => isWhole(group))
      .map((one) => ({ ...one, method })),
  );
  for (const group of new Set(estimates.map((one) => one.group))) {
    const rows = estimates.filter((one) => one.group === group).map((one) => toRow(one.method, one, toCell));
    say(`\n${group === 'all' ? 'All questions' : group}:\n\n${toTable(head('method'), byUnit(rows))}`);
  }
}

function printGaps(questions, isClustered) {
  const methods = Object.keys(questions[0].scores).filter((method) => method !== OWN);
  const rows = methods.flatMap((method) =>
    estimate(questions, ({ scores }) => subtract(scores[OWN], scores[method]), isClustered)
      .filter(({ group }) => group === 'all')
      .map((one) => toRow(method, one, toDifferenceCell)),
  );
  say(`\nThe knowledge base less each baseline, question by question (* the interval does not hold 0):\n`);
  say(toTable(head('less'), byUnit(rows)));
}

/** The tables of one set. */
export function printSet(set, isClustered) {
  const { name, documents, sessions, users, questions, left_out: leftOut, add_ms: addMs, search_ms: searchMs } = set;
  say(`\n## ${name}\n`);
  say(`${documents} turns in ${sessions} sessions of ${users} users; ${questions.length} questions`);
  say(`(${leftOut} more have no evidence and are left out)`);
  printMethods(questions, isClustered);
  const own = estimate(questions, ({ scores }) => scores[OWN], isClustered).filter(({ group }) => !isWhole(group));
  say(`\nThe knowledge base by kind of question:\n`);
  say(toTable(head('kind'), byUnit(own.map((one) => toRow(one.group, one, toCell)))));
  printGaps(questions, isClustered);
  const perTurn = (addMs / documents).toFixed(2);
  say(
    `\nSearch, 20 results: p50 ${searchMs.p50.toFixed(1)} ms, p95 ${searchMs.p95.toFixed(1)} ms; adding ${perTurn} ms a turn`,
  );
}

/** One table of all sets over both stores, and how often the two gave the same. */
export function printStores(sets) {
  const rows = sets.flatMap(({ name, questions, stores }) =>
    stores.map(({ name: store, method, search_ms: { p50, p95 } }) => {
      const { values } = estimate(questions, ({ scores }) => ({ turns: scores[method].turns }), false)[0];
      return [name, store, questions.length, ...values.map(([mean]) => toShare(mean)), p50.toFixed(1), p95.toFixed(1)];
    }),
  );
  say(`\n## Both stores, turns, all questions\n`);
  say(toTable(['set', 'store', 'questions', ...measureNames, 'p50 ms', 'p95 ms'], rows));
  say('');
  for (const { name, questions, agreement } of sets) {
    const [all, ten] = [agreement.all, agreement.first_ten].map((count) => `${count} of ${questions.length}`);
    say(`- ${name}: the same 20 turns in the same order for ${all} questions, the same first 10 for ${ten}`);
  }
}

/** How many questions got better and worse, by the share of evidence turns among the first ten. */
function countChanges(pairs) {
  const at = measureNames.indexOf('recall@10');
  const differences = pairs.map(({ after, before }) => subtract(after, before).turns[at]);
  const count = (isMeant) => differences.filter(isMeant).length;
  return `${count((one) => one > 0)} better, ${count((one) => one < 0)} worse, ${count((one) => one === 0)} alike`;
}

/** What changed since an earlier run: the paired differences of the questions that both runs asked. */
export function printComparison(set, earlier, isClustered) {
  say(`\n## ${set.name}: what changed\n`);
  const old = earlier.sets.find(({ name }) => name === set.name);
  if (old === undefined) return say('The earlier run did not measure this set.');
  const before = new Map(old.questions.map(({ id, question, scores }) => [`${id} ${question}`, scores[OWN]]));
  const pairs = set.questions
    .map((asked) => ({ ...asked, after: asked.scores[OWN], before: before.get(`${asked.id} ${asked.question}`) }))
    .filter((pair) => pair.before !== undefined);
  say(`${pairs.length} questions are in both runs, of ${old.questions.length} before and ${set.questions.length} now.`);
  if (pairs.length === 0) return undefined;
  const estimates = estimate(pairs, (pair) => subtract(pair.after, pair.before), isClustered);
  const rows = estimates.map((one) => toRow(one.group, one, toDifferenceCell));
  say(`Evidence turns among the first ten: ${countChanges(pairs)}.`);
  say(`Now less before (* the interval does not hold 0):\n\n${toTable(head('questions'), byUnit(rows))}`);
  const speed = ({ search_ms: { p50, p95 } }) => `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
  return say(`\nSearch: ${speed(old)} before; ${speed(set)} now`);
}

/** How to read the numbers, and what they were measured on. */
export function printNotes({ embedder, store, isClustered }) {
  say(`\n- brackets: 95 % bootstrap intervals, 1,000 resamples over ${isClustered ? 'conversations' : 'questions'}`);
  say("- recall@n: the share of a question's evidence among the first n; mrr: over the first 20; means over questions");
  say(
    '- sessions: in the order of their best turns among the first 100 turns; "BM25 over sessions" ranks whole sessions',
  );
  say(
    `- embedder ${embedder}, store ${store}; Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`,
  );
}

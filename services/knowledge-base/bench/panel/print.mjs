import { cpus } from 'node:os';
import process from 'node:process';
import { toTable } from '../../../../shared/tooling/bench-figures.mjs';

const say = (text) => process.stdout.write(`${text}\n`);
const measures = ['recall@5', 'recall@10', 'mrr', 'noise', 'precision'];

/** A share as `.812`. */
export function toShare(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value.toFixed(3).replace(/^(-?)0\./u, '$1.');
}

const toSigned = (value) => toShare(value).replace(/^(?!-)/u, '+');
const toCells = (summary) => [...measures.map((name) => toShare(summary[name])), summary.p50.toFixed(1)];

/** The baseline that finds most on a set: its name and what was measured of it. */
export function toBestPlain({ plain }) {
  const [[name, summary]] = Object.entries(plain).sort(([, a], [, b]) => b['recall@10'] - a['recall@10']);
  return { name, ...summary };
}

function toRows(set) {
  const { name, counts, ours, peers = {} } = set;
  const asked = `${counts.answerable} + ${counts.unanswerable}`;
  const best = toBestPlain(set);
  const gap = toSigned(ours['recall@10'] - best['recall@10']);
  return [
    [name, asked, best.name, ...toCells(best), ''],
    ['', '', '**ours**', ...toCells(ours), gap],
    ...Object.entries(peers).map(([peer, summary]) => ['', '', peer, ...toCells(summary), '']),
  ];
}

/** One table: the best plain baseline, ours, and the peers that were asked, on every set. */
export function printPanel(sets) {
  say(toTable(['set', 'questions', 'method', ...measures, 'p50 ms', 'recall@10 less plain'], sets.flatMap(toRows)));
  const meanOf = (pick) => toShare(sets.map(pick).reduce((sum, value) => sum + value, 0) / sets.length);
  const row = (name, pick) => [
    name,
    ...['recall@5', 'recall@10', 'mrr'].map((measure) => meanOf((set) => pick(set)[measure])),
  ];
  say(
    `\n${toTable(['mean of the sets', 'recall@5', 'recall@10', 'mrr'], [row('best plain', toBestPlain), row('ours', ({ ours }) => ours)])}`,
  );
}

/** Every baseline on every set: recall@10 and mrr. */
export function printPlain(sets) {
  const names = [...new Set(sets.flatMap(({ plain }) => Object.keys(plain)))];
  const toCell = (summary) =>
    summary === undefined ? '–' : `${toShare(summary['recall@10'])} ${toShare(summary.mrr)}`;
  const rows = sets.map(({ name, plain, ours }) => [name, ...names.map((one) => toCell(plain[one])), toCell(ours)]);
  say(`\nrecall@10 and mrr of every baseline:\n\n${toTable(['set', ...names, 'ours'], rows)}`);
}

/** How well relevance tells what is answered from what is not, and how often hits of a relevance answer. */
export function printCertainty(sets) {
  const toCell = (right, all) => (all === 0 ? '–' : `${toShare(right / all)} (${all})`);
  const bins = Array.from(
    { length: 10 },
    (_, at) => `${(at / 10).toFixed(1).slice(-2)}–${at === 9 ? '1' : `.${at + 1}`}`,
  );
  const sums = bins.map((_, at) => {
    const sum = { first: 0, firstRight: 0, hits: 0, right: 0 };
    for (const { reliability } of sets) for (const name of Object.keys(sum)) sum[name] += reliability[at][name];
    return sum;
  });
  const print = (toCells) => {
    const rows = sets.map(({ name, auc, aucTogether, reliability }) => [
      ...[name, toShare(auc), toShare(aucTogether)],
      ...reliability.map(toCells),
    ]);
    say(toTable(['set', 'AUC', 'together', ...bins], [...rows, ['all', '', '', ...sums.map(toCells)]]));
  };
  say(
    "\nAUC of the best hit's relevance and of all together, and how often best hits of a relevance answer (their number):\n",
  );
  print(({ firstRight, first }) => toCell(firstRight, first));
  say('\nHow often the first ten hits of a relevance answer:\n');
  print(({ right, hits }) => toCell(right, hits));
}

/** What a change makes of every set. */
export function printDifference(title, before, after) {
  const known = after.filter(({ name }) => before.some((set) => set.name === name));
  const rows = known.map(({ name, ours }) => {
    const old = before.find((set) => set.name === name).ours;
    return [name, ...measures.map((measure) => toSigned(ours[measure] - old[measure]))];
  });
  const means = measures.map((_, at) =>
    toSigned(rows.reduce((sum, row) => sum + Number(row[at + 1]), 0) / rows.length),
  );
  say(`\n${title}\n\n${toTable(['set', ...measures], [...rows, ['mean', ...means]])}`);
}

/** On what this was measured. */
export function printConditions({ half, embedder }) {
  say(`\n- ${half}; embedder ${embedder}; one search at a time of 20 hits, one user's documents among those of all`);
  say(
    '- noise: questions that nothing answers with a hit; precision: evidence among all hits of the others; of ours, those',
  );
  say('  hits that recall tells');
  say(`- Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`);
}

import { createRandom } from '../corpus.mjs';

const RESAMPLES = 1_000;
const SEED = 20_240_521;
const DEPTHS = [5, 10, 20];

/** The names of what is measured of each ranking, as they stand in the result file. */
export const measureNames = [...DEPTHS.map((depth) => `recall@${depth}`), 'mrr'];

/**
 * Measures one ranking of at least 20 ids: which share of what was wanted stands among the first 5, 10 and 20, and one
 * over the rank of the first (0 when it is not among the first 20).
 */
export function score(ranking, wanted) {
  const sought = new Set(wanted);
  const hits = ranking.slice(0, Math.max(...DEPTHS)).map((id) => sought.has(id));
  const first = hits.indexOf(true);
  const shares = DEPTHS.map((depth) => hits.slice(0, depth).filter(Boolean).length / sought.size);
  return [...shares, first === -1 ? 0 : 1 / (first + 1)];
}

/** Rows that are drawn together: each alone, or all of a cluster, since questions of one conversation are alike. */
function toUnits(clusters) {
  const units = new Map();
  for (const [at, cluster] of clusters.entries()) units.set(cluster, [...(units.get(cluster) ?? []), at]);
  return [...units.values()];
}

function meanOf(rows, picked) {
  const sums = new Float64Array(rows[0].length);
  for (const at of picked) for (let column = 0; column < sums.length; column += 1) sums[column] += rows[at][column];
  return sums.map((sum) => sum / picked.length);
}

/**
 * The means of the columns with 95 % percentile bootstrap intervals (Efron and Tibshirani 1993, chapter 13): 1,000
 * resamples from a fixed seed, so that the same rows give the same intervals. The rows of a paired difference are the
 * differences themselves.
 * @param rows one row of numbers for each question
 * @param clusters what each row is drawn together with; without it every row is drawn alone
 * @returns `[mean, low, high]` for each column
 */
export function bootstrap(rows, clusters = rows.map((_, at) => at)) {
  const units = toUnits(clusters);
  const random = createRandom(SEED);
  const draws = Array.from({ length: RESAMPLES }, () => {
    const picked = units.flatMap(() => units[Math.floor(random() * units.length)]);
    return meanOf(rows, picked);
  });
  const means = meanOf(
    rows,
    rows.map((_, at) => at),
  );
  return Array.from(means, (mean, column) => {
    const sorted = draws.map((draw) => draw[column]).sort((a, b) => a - b);
    return [mean, sorted[Math.floor(0.025 * RESAMPLES)], sorted[Math.ceil(0.975 * RESAMPLES) - 1]];
  });
}

/** Whether a group of questions joins several kinds. */
export const isWhole = (group) => group === 'all' || group.startsWith('categories ');

/** The groups of the questions: those that join several kinds first. */
function groupsOf(questions) {
  const groups = [...new Set(questions.flatMap((question) => question.groups))].sort();
  return [...groups.filter(isWhole), ...groups.filter((group) => !isWhole(group))];
}

/**
 * Means with their intervals, for every group of questions and for turns and sessions.
 * @param toScores a question's `{turns, sessions}`, or the differences of two; what lacks one of them gets no line for it
 * @param isClustered whether whole conversations are drawn
 */
export function estimate(questions, toScores, isClustered) {
  return groupsOf(questions).flatMap((group) => {
    const members = questions.filter(({ groups }) => groups.includes(group));
    const clusters = isClustered ? members.map(({ conversation }) => conversation) : undefined;
    return ['turns', 'sessions'].flatMap((unit) => {
      const rows = members.flatMap((question) => [toScores(question)[unit] ?? []].filter(({ length }) => length > 0));
      if (rows.length === 0) return [];
      return [{ group, unit, questions: rows.length, values: bootstrap(rows, clusters) }];
    });
  });
}

/** The differences of two questions' scores, one by one; undefined where either has none. */
export function subtract(after, before) {
  const units = Object.keys(after).filter((unit) => before[unit] !== undefined);
  return Object.fromEntries(units.map((unit) => [unit, after[unit].map((value, at) => value - before[unit][at])]));
}

// A logistic regression of a few weights, and what tells how well it ranks.

const STEPS = 4000;
const RATE = 0.5;

/** Weights of the columns of `rows` and, last, the constant, by gradient descent on columns of one spread. */
export function fitWeights(rows, labels) {
  const columns = rows[0].map((_, column) => rows.map((row) => row[column]));
  const means = columns.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const spreads = columns.map(
    (values, at) => Math.sqrt(values.reduce((sum, value) => sum + (value - means[at]) ** 2, 0) / values.length) || 1,
  );
  const scaled = rows.map((row) => [...row.map((value, at) => (value - means[at]) / spreads[at]), 1]);
  const weights = scaled[0].map(() => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map(() => 0);
    for (const [at, row] of scaled.entries()) {
      const sum = row.reduce((total, value, column) => total + value * weights[column], 0);
      const error = (labels[at] ? 1 : 0) - 1 / (1 + Math.exp(-sum));
      for (const [column, value] of row.entries()) gradient[column] += error * value;
    }
    for (const [column, value] of gradient.entries()) weights[column] += (RATE * value) / scaled.length;
  }
  const slopes = means.map((_, at) => weights[at] / spreads[at]);
  return [...slopes, weights.at(-1) - slopes.reduce((sum, slope, at) => sum + slope * means[at], 0)];
}

/** The chance that a labelled one of `[score, label]` pairs scores above another; ties count half. */
export function areaUnderCurve(pairs) {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to][0] === sorted[from][0]) to += 1;
    for (let at = from; at < to; at += 1) if (sorted[at][1]) ranks += (from + 1 + to) / 2;
    from = to;
  }
  const labelled = sorted.filter(([, label]) => label).length;
  return (ranks - (labelled * (labelled + 1)) / 2) / (labelled * (sorted.length - labelled));
}

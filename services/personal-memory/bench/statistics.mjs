/** The value below which a share `p` of the values lies (nearest rank). */
export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

/** How long each call of `work` takes, in milliseconds, and what the last one answered. */
export async function measure(count, work) {
  const times = [];
  let answer;
  for (let at = 0; at < count; at += 1) {
    const from = performance.now();
    answer = await work(at);
    times.push(performance.now() - from);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), answer };
}

/** Milliseconds as a table shows them. */
export const ms = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

/** Lines of a Markdown table. */
export function toTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The value below which a share `p` of the values lies (nearest rank). */
export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

/** How long `work` takes, in milliseconds. */
export async function time(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Lines of a Markdown table. */
export function toTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

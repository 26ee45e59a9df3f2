/** The value below which a share of the values lies (nearest rank). */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** What work answers, and how long it takes in milliseconds. */
export async function timed(work) {
  const from = performance.now();
  const value = await work();
  return { value, ms: performance.now() - from };
}

/** Does work for each of many, so many at once, in order. */
export async function inParallel(items, width, work) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** The lines of a Markdown table. */
export function toTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

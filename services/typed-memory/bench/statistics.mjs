import { readFileSync } from 'node:fs';

/** The value below which a share `p` of the values lies (nearest rank). */
export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

/** How long each call of `work` takes, one after the other, in milliseconds. */
export async function measure(count, work) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const from = performance.now();
    await work(at);
    times.push(performance.now() - from);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** The most memory that a process ever held, in MiB; NaN where the system does not tell. */
export function peakMemory(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch (error) {
    if (error.code === 'ENOENT') return Number.NaN;
    throw error;
  }
}

/** How long a process has computed so far, in milliseconds; NaN where the system does not tell. */
export function cpuTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    // User and system time, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch (error) {
    if (error.code === 'ENOENT') return Number.NaN;
    throw error;
  }
}

/** Milliseconds as a table shows them. */
export const ms = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** Lines of a Markdown table. */
export function toTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

// Figures that benches print. Plain JavaScript, since a bench runs over built packages.
import { readFileSync } from 'node:fs';

/** The mean; 0 of nothing. */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The value below which a share `p` of the values lies (nearest rank). */
export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

/** Numbers in [0, 1) that are the same for one seed (mulberry32, Tommy Ettinger, public domain). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The most memory that a process ever held, in MiB; undefined where the system does not tell. */
export function peakMemory(pid) {
  try {
    const kib = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The processor time that a process has used, in milliseconds; undefined where the system does not tell. Source: proc(5), at 100 ticks a second. */
export function cpuTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** How long `work` takes, in milliseconds. */
export async function time(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
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

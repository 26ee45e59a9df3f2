// Years of daily logs: cold start, warm start, search, from an edit by hand to the search that finds it, memory.
// node services/agent-memory/bench/years.mjs [days=3650] [entries a day=27]
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { silentLog } from '@contextloom/runtime';
import { percentile } from '../../../shared/tooling/bench-figures.mjs';
import { openAgentMemory } from '../build/open-agent-memory.js';

const [days, perDay] = [Number(process.argv[2] ?? 3650), Number(process.argv[3] ?? 27)];
const words =
  'React SQLite deploy meeting budget garden invoice Lisbon train birthday 数据库 前端 会议 预算 花园 咖啡 徒步 旅行 医生 合同'.split(
    ' ',
  );
let seed = 7;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};
const toSentence = () => Array.from({ length: 12 }, () => words[random(words.length)]).join(' ');
const pad = (n) => String(n).padStart(2, '0');

const root = mkdtempSync(join(tmpdir(), 'contextloom-years-'));
const workspace = join(root, 'workspace');
mkdirSync(join(workspace, 'memory'), { recursive: true });
const first = Date.UTC(2016, 0, 1);
for (let day = 0; day < days; day += 1) {
  const date = new Date(first + day * 86_400_000).toISOString().slice(0, 10);
  const entries = Array.from({ length: perDay }, (_unused, n) => {
    const mark = process.env.WITHOUT_IDS === undefined ? `<!-- id: ${randomUUID()} -->\n` : '';
    return `### ${pad(n % 24)}:${pad(random(60))} - ${n % 5 === 0 ? '决策' : '对话'}\n${mark}${toSentence()} 编号${day * perDay + n}\n`;
  });
  writeFileSync(join(workspace, `memory/${date}.md`), `# ${date} 日志\n\n## 记录条目\n\n${entries.join('\n')}`);
}

const settings = { readOnly: false, timezone: 'UTC', language: 'zh', session: 'owner', embeddingProvider: 'lexical' };
const edge = { clock: () => new Date(), newId: randomUUID, log: silentLog };
const open = () => openAgentMemory({ workspace, dataDir: join(root, 'data'), ...settings, ...edge });
const search = (memory, query) => memory.search({ query, limit: 10, fusion: 'weighted', session: 'owner' });
/** As a client does that is told that the index is being made. */
const searchWhenReady = async (memory, query) => {
  for (;;) {
    try {
      return await search(memory, query);
    } catch (error) {
      if (error.code !== 'unavailable') throw error;
    }
  }
};
const timed = async (work) => {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
};
const print = (name, value) => process.stdout.write(`${name.padEnd(34)} ${value}\n`);
const ms = (value) => `${value.toFixed(0)} ms`;

print('files, entries', `${days}, ${days * perDay}`);
const [cold] = await timed(async () => {
  const opened = await open();
  await searchWhenReady(opened.memory, 'budget');
  await opened.close();
});
print('cold start to the first hit', ms(cold));
const opened = await open();
const [warm] = await timed(async () => {
  const again = await open();
  await again.memory.get('none', 'owner').catch(() => undefined);
  await again.close();
});
print('warm start to the first answer', ms(warm));
await search(opened.memory, 'budget');
const times = [];
for (let n = 0; n < 60; n += 1)
  times.push((await timed(() => search(opened.memory, `${toSentence().slice(0, 20)} 会议`)))[0]);
print('search p50, p95', `${ms(percentile(times, 0.5))}, ${ms(percentile(times, 0.95))}`);
const narrow = [];
for (let n = 0; n < 30; n += 1) {
  const request = {
    query: '会议 预算',
    limit: 10,
    fusion: 'weighted',
    session: 'owner',
    start_date: '2016-03-01',
    end_date: '2016-03-31',
  };
  narrow.push((await timed(() => opened.memory.search(request)))[0]);
}
print('search in one month p50, p95', `${ms(percentile(narrow, 0.5))}, ${ms(percentile(narrow, 0.95))}`);
const edits = [];
for (let n = 0; n < 10; n += 1) {
  const date = new Date(first + n * 86_400_000).toISOString().slice(0, 10);
  const start = performance.now();
  appendFileSync(join(workspace, `memory/${date}.md`), `\n### 23:59 - 手动\n独一无二${n} zebra${n}\n`);
  for (;;) {
    const { items } = await opened.memory.search({
      query: `zebra${n}`,
      limit: 1,
      fusion: 'weighted',
      session: 'owner',
      start_date: date,
      end_date: date,
    });
    if (items[0]?.entry.content.includes(`zebra${n}`)) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  edits.push(performance.now() - start);
}
print('edit to searchable p50, worst', `${ms(percentile(edits, 0.5))}, ${ms(Math.max(...edits))}`);
const adds = [];
for (let n = 0; n < 30; n += 1) {
  adds.push((await timed(() => opened.memory.add({ content: `${toSentence()}`, session: 'owner' })))[0]);
}
print('add p50, p95', `${ms(percentile(adds, 0.5))}, ${ms(percentile(adds, 0.95))}`);
print('memory of the process (RSS)', `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`);
await opened.close();
rmSync(root, { recursive: true });

// How long years of conversations take to come in: an export of ChatGPT with so many conversations and megabytes is looked through, imported,
// killed at ten moments and gone on with, and taken back. The knowledge base and each run are processes of their own; the memory of the
// importer (VmRSS) is read from /proc, so that column needs Linux. Memories are counted in the knowledge base.
//
// As in real exports, most of a file are results of tools, which are left out: `--share` says how much of it are words.
//
//   npm run bench:import -- [--conversations 1000] [--megabytes 200] [--share 0.05] [--kills 10] [--json FILE]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    conversations: { type: 'string', default: '1000' },
    megabytes: { type: 'string', default: '200' },
    share: { type: 'string', default: '0.05' },
    kills: { type: 'string', default: '10' },
    json: { type: 'string' },
  },
});
const [conversations, megabytes, share, kills] = [flags.conversations, flags.megabytes, flags.share, flags.kills].map(
  Number,
);
const MEGABYTE = 1024 * 1024;
const TURNS = 20;
const USER = 'ann';
const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const importer = here('../dist/import.js');

const WORDS =
  'I planted peas beside the shed and my sister came over for tea before the train to Lyon left on time'.split(' ');
/** So many characters of words, other ones each time. */
function toWords(length, seed) {
  const words = [`Note ${seed}.`];
  for (let size = 0, at = seed; size < length; at += 7) {
    const word = WORDS[at % WORDS.length];
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ');
}

function toConversation(number) {
  const bytes = (megabytes * MEGABYTE) / conversations;
  const said = Math.floor((bytes * share) / TURNS);
  const result = 'x'.repeat(Math.floor((bytes * (1 - share)) / TURNS));
  const mapping = { root: { message: null, parent: null } };
  let parent = 'root';
  const add = (id, role, text, at) => {
    mapping[id] = {
      parent,
      message: { author: { role }, create_time: at, content: { content_type: 'text', parts: [text] } },
    };
    parent = id;
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const at = 1_600_000_000 + number * 86_400 + turn * 60;
    add(`t${turn}`, 'tool', result, at);
    add(`m${turn}`, turn % 2 === 0 ? 'user' : 'assistant', toWords(said, number * TURNS + turn), at);
  }
  return { title: `Talk ${number}`, conversation_id: `c${number}`, mapping, current_node: parent };
}

async function writeExport(file) {
  const stream = createWriteStream(file);
  for (let number = 0; number < conversations; number += 1) {
    const text = `${number === 0 ? '[' : ','}${JSON.stringify(toConversation(number))}`;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end(']');
  await finished(stream);
}

async function startKnowledgeBase(dataDir) {
  const child = spawn(process.execPath, [here('../../knowledge-base/dist/service.js')], {
    env: { ...process.env, KB_PORT: '0', KB_DATA_DIR: dataDir, CHROMA_URL: '', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    // A pipe that nobody empties would hold the service up.
    child.stderr.resume();
    return { child, url };
  }
  throw new Error('the knowledge base ended before it listened; is it built?');
}

/** How much memory a process holds, in MB; undefined where /proc does not tell. */
async function readMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** Runs the importer to its end, or kills it after a time; its memory over the run in ten equal parts. */
async function run(words, { env, killAfterMs }) {
  const start = performance.now();
  const child = spawn(process.execPath, [importer, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const samples = [];
  const sampler = setInterval(async () => {
    const memory = await readMemory(child.pid);
    if (memory !== undefined) samples.push(memory);
  }, 100);
  const killer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code, signal] = await once(child, 'close');
  clearInterval(sampler);
  clearTimeout(killer);
  if (code !== 0 && signal === null) throw new Error(stderr);
  const tenth = Math.max(1, Math.ceil(samples.length / 10));
  const peaks = Array.from({ length: 10 }, (_, at) => Math.max(0, ...samples.slice(at * tenth, (at + 1) * tenth)));
  return { stdout, seconds: (performance.now() - start) / 1000, peaks: peaks.map(Math.round) };
}

const print = (text) => process.stdout.write(`${text}\n`);
const folder = await mkdtemp(join(tmpdir(), 'contextloom-import-bench-'));
const results = [];
const tell = (name, { seconds, peaks }, more = '') => {
  results.push({ name, seconds, peaks, more });
  print(`${name.padEnd(34)} ${seconds.toFixed(1).padStart(8)} s   MB by tenths: ${peaks.join(' ')}   ${more}`);
};
const service = await startKnowledgeBase(join(folder, 'kb'));
try {
  const file = join(folder, 'conversations.json');
  await writeExport(file);
  const env = (name) => ({
    PATH: process.env.PATH,
    KB_URL: service.url,
    MEMORY_PROCESSOR_DATA_DIR: join(folder, name),
  });
  const words = ['--json', 'import', file, '--user', USER];
  const preview = await run([...words, '--dry-run'], { env: env('a') });
  tell('preview alone (--dry-run)', preview);
  const whole = await run(words, { env: env('a') });
  const { import: first } = JSON.parse(whole.stdout);
  tell('import', whole, `${first.conversations} conversations, ${first.saved} memories`);
  const undone = await run(['--json', 'imports', 'undo', first.id], { env: env('a') });
  tell('undo', undone, `${JSON.parse(undone.stdout).removed} removed`);
  let lost = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    // Each run looks through the file first, and then gets on with its share of the rest.
    const killAfterMs = 1000 * (preview.seconds + (whole.seconds - preview.seconds) / (kills + 1));
    const { seconds } = await run(words, { env: env('b'), killAfterMs });
    lost += seconds;
  }
  const rest = await run(words, { env: env('b') });
  const { import: second } = JSON.parse(rest.stdout);
  tell(`rest after ${kills} kills`, rest, `${second.known} known, ${second.saved} saved; ${lost.toFixed(1)} s before`);
  const listed = JSON.parse((await run(['--json', 'imports'], { env: env('b') })).stdout).imports[0];
  const same = listed.saved === first.saved && listed.state === 'done' && listed.failed === 0;
  print(
    `journal after kills: ${listed.conversations} conversations, ${listed.saved} memories${same ? ', as without kills' : ' – NOT as without kills'}`,
  );
  const again = await run(['--json', 'imports', 'undo', second.id], { env: env('b') });
  tell('undo', again, `${JSON.parse(again.stdout).removed} removed`);
  if (flags.json !== undefined) await writeFile(flags.json, JSON.stringify(results, null, 2));
  if (!same) process.exitCode = 1;
} finally {
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');
  await rm(folder, { recursive: true, force: true });
}

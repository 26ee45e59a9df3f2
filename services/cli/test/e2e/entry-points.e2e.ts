import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Contextloom } from '@contextloom/client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Ended, type RunningHome, startHome } from './running-home.ts';

/** A word that each door stores in something of its own user, and what a person corrects it to. */
const ENTRY_POINTS = {
  chat: ['geesefeather', 'wrenfeather'],
  app: ['lanternmoth', 'candlemoth'],
  proxy: ['driftwoodchair', 'rosewoodchair'],
  hooks: ['anchorchain', 'copperchain'],
  import: ['copperkettle', 'whistlekettle'],
  console: ['saltcellar', 'pepperpot'],
  cli: ['harbourbell', 'chapelbell'],
  client: ['sailmakersneedle', 'furriersneedle'],
  rest: ['thistledown', 'dandelionclock'],
  document: ['willowgate', 'larchgate'],
  event: ['saltmarshwalk', 'clifftopwalk'],
} as const;
type EntryPoint = keyof typeof ENTRY_POINTS;
const entryPoints = Object.keys(ENTRY_POINTS) as EntryPoint[];
const STEPS = ['stored', 'listed', 'found', 'corrected', 'exported', 'restored', 'forgotten'] as const;
type Step = (typeof STEPS)[number];

/** What is learned of a project belongs to the owner of project memory, whoever works on it. */
const userOf = (entryPoint: EntryPoint): string => (entryPoint === 'hooks' ? 'personal' : `user-of-${entryPoint}`);
const PROJECT = 'boats';
const scopeOf = (entryPoint: EntryPoint) => ({
  user_id: userOf(entryPoint),
  ...(entryPoint === 'hooks' && { project: PROJECT }),
});
const toSaid = (word: string): string => `I found a ${word} near the pier.`;

interface Listed {
  readonly memories: readonly { readonly id: string; readonly text: string }[];
}

let folder: string;
let home: RunningHome;
let other: RunningHome;

/** Stores a note as the console's page does: one request that stands for itself. */
async function rememberOnPage(user_id: string, text: string): Promise<void> {
  const revision = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'remember', arguments: { user_id, text, kind: 'note' }, _meta };
  const response = await fetch(`${home.url}/mcp/all`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'remember',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const answer = await response.text();
  if (!response.ok || !answer.includes('structuredContent') || answer.includes('"isError":true'))
    throw new Error(answer);
}

async function storeBy(entryPoint: EntryPoint): Promise<void> {
  const [user_id, [word]] = [userOf(entryPoint), ENTRY_POINTS[entryPoint]];
  const said = toSaid(word);
  const turns = `Ann: ${said}\nMarlow: I see.\n`;
  const file = join(folder, `${entryPoint}.txt`);
  await writeFile(file, `[2024-03-05]\n${turns}`);
  const ok = async (ended: Promise<Ended>): Promise<void> => {
    const { code, stdout } = await ended;
    if (code !== 0) throw new Error(stdout);
  };
  const store: Record<EntryPoint, () => Promise<unknown>> = {
    chat: () => home.call('chat', 'remember', { text: said }),
    app: () => home.call('app', 'store_conversation_memory', { user_id, conversation_history: turns }),
    proxy: () => sayThroughProxy(user_id, said),
    hooks: () => endSession(`We decided to keep the ${word} near the pier. Because it is dry there.`),
    import: () => ok(home.cliHere('', 'import', file, '--user', user_id, '--yes')),
    console: () => rememberOnPage(user_id, said),
    cli: () => ok(home.cli('remember', file, '--user', user_id)),
    client: async () => {
      const client = new Contextloom({ url: home.url, user: user_id });
      await client.remember(said);
      await client.close();
    },
    rest: () => post(`${rest}/tools/memory_add`, { user_id, content: said, memory_type: 'semantic' }),
    document: () =>
      home.call('all', 'knowledge-base__add_document', {
        doc_id: 'd1',
        content: said,
        tags: ['memory'],
        metadata: { user_id },
      }),
    event: () =>
      home.call('all', 'personal-memory__add_event', {
        user_id,
        event_type: 'activity',
        description: said,
        timestamp: '2024-03-05',
      }),
  };
  await store[entryPoint]();
}

let rest: string;
let proxy: string;

async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  await response.text();
}

/** A turn is stored after its answer. */
async function sayThroughProxy(user_id: string, content: string): Promise<void> {
  const body = { model: 'm', messages: [{ role: 'user', content }] };
  await post(`${proxy}/v1/chat/completions`, body, { 'contextloom-user': user_id });
  for (let tries = 0; tries < 300 && !(await list('proxy')).includes(content); tries += 1) await delay(100);
}

/** A session of a coding agent ends, and what it decided is learnt. */
async function endSession(decided: string): Promise<void> {
  const cwd = join(folder, PROJECT);
  await mkdir(join(cwd, '.git'), { recursive: true });
  const lines = [
    ['user', 'Where do we keep it?'],
    ['assistant', decided],
  ].map(([role, content], at) =>
    JSON.stringify({
      type: role,
      sessionId: 's',
      uuid: `s-${at}`,
      timestamp: `2026-11-20T08:0${at}:00Z`,
      message: { role, content },
    }),
  );
  const transcript_path = join(folder, 's.jsonl');
  await writeFile(transcript_path, `${lines.join('\n')}\n`);
  const input = JSON.stringify({ session_id: 's', transcript_path, cwd, hook_event_name: 'SessionEnd' });
  await home.cliHere(input, 'hook', 'session-end');
  await home.cliHere('', 'hook', 'work');
  // The hook's own worker may have been first.
  for (let tries = 0; tries < 600 && !(await list('hooks')).includes(decided.slice(0, 30)); tries += 1)
    await delay(100);
}

const readList = (entryPoint: EntryPoint, of: RunningHome) =>
  of.call('all', 'list_memories', { ...scopeOf(entryPoint), limit: 50 }) as unknown as Promise<Listed>;
const list = async (entryPoint: EntryPoint, of = home): Promise<string> =>
  JSON.stringify((await readList(entryPoint, of)).memories);
const find = async (entryPoint: EntryPoint, word: string, of = home): Promise<string> =>
  JSON.stringify(
    (await of.call('all', 'recall', { ...scopeOf(entryPoint), query: `Where is the ${word}?` }))['memories'],
  );

async function correct(entryPoint: EntryPoint): Promise<boolean> {
  const [word, right] = ENTRY_POINTS[entryPoint];
  const { memories } = await readList(entryPoint, home);
  for (const { id, text } of memories.filter((one) => one.text.includes(word))) {
    await home.call('all', 'update_memory', { ...scopeOf(entryPoint), id, text: text.replaceAll(word, right) });
  }
  const now = [await list(entryPoint), await find(entryPoint, right)];
  return now.every((text) => text.includes(right) && !text.includes(word));
}

async function exportAs(entryPoint: EntryPoint): Promise<boolean> {
  const { code } = await home.cli('export', '--user', userOf(entryPoint), '--out', join(folder, `${entryPoint}.zip`));
  const pages = await home.call('all', 'export_user', { user_id: userOf(entryPoint) });
  const found: unknown[] = [pages];
  for (let page = pages; page['next_cursor'] !== undefined; found.push(page)) {
    page = await home.call('all', 'export_user', { user_id: userOf(entryPoint), cursor: page['next_cursor'] });
  }
  return code === 0 && JSON.stringify(found).includes(ENTRY_POINTS[entryPoint][1]);
}

async function forget(entryPoint: EntryPoint): Promise<string> {
  const words = ['forget', '--user', userOf(entryPoint), '--yes'];
  // What hooks keep lies on the machine of the command: another aggregator's are elsewhere.
  return (await (entryPoint === 'hooks' ? home.cliHere('', ...words) : home.cli(...words))).stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-doors-'));
  home = await startHome(folder, 'first', userOf('chat'));
  proxy = await home.startProxy();
  rest = await home.start('typed-memory', '--multi-user');
}, 240_000);
afterAll(async () => {
  await other?.close();
  await home.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('shows, corrects, exports, restores and erases what came in by each door', async () => {
  const cells = new Map<string, string>();
  const fill = async (step: Step, entryPoint: EntryPoint, look: () => Promise<boolean>): Promise<void> => {
    const seen = await look().catch((error: unknown) => String(error));
    if (seen !== true) cells.set(`${entryPoint} ${step}`, String(seen));
  };
  const fillAll = async (step: Step, look: (entryPoint: EntryPoint) => Promise<boolean>): Promise<void> => {
    for (const entryPoint of entryPoints) await fill(step, entryPoint, () => look(entryPoint));
  };
  await fillAll('stored', async (entryPoint) => {
    await storeBy(entryPoint);
    return true;
  });
  const users = (await home.cli('users', '--json')).stdout;
  await fillAll(
    'listed',
    async (entryPoint) =>
      users.includes(userOf(entryPoint)) && (await list(entryPoint)).includes(ENTRY_POINTS[entryPoint][0]),
  );
  await fillAll('found', async (entryPoint) =>
    (await find(entryPoint, ENTRY_POINTS[entryPoint][0])).includes(ENTRY_POINTS[entryPoint][0]),
  );
  await fillAll('corrected', correct);
  await fillAll('exported', exportAs);
  const backup = await home.cli('backup', join(folder, 'all.zip'));
  expect({ code: backup.code, said: backup.code === 0 ? '' : backup.stdout }).toEqual({ code: 0, said: '' });
  other = await startHome(folder, 'second', userOf('chat'));
  const restored = await other.cli('restore', join(folder, 'all.zip'));
  expect({ code: restored.code, said: restored.code === 0 ? '' : restored.stdout }).toEqual({ code: 0, said: '' });
  await fillAll('restored', async (entryPoint) =>
    (await find(entryPoint, ENTRY_POINTS[entryPoint][1], other)).includes(ENTRY_POINTS[entryPoint][1]),
  );
  const receipts = new Map<EntryPoint, string>();
  for (const entryPoint of entryPoints) receipts.set(entryPoint, await forget(entryPoint));
  for (const entryPoint of entryPoints) {
    const left = await home.filesWith(ENTRY_POINTS[entryPoint]);
    await fill(
      'forgotten',
      entryPoint,
      async () => left.length === 0 || Promise.reject(`${left} ${receipts.get(entryPoint)}`),
    );
  }
  expect(Object.fromEntries(cells)).toEqual({});
}, 600_000);

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Contextloom } from '@contextloom/client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Ended, type RunningHome, startHome } from './running-home.ts';

/** A word that each door stores in something of its own user, and what a person corrects it to. */
const DOORS = {
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
type Door = keyof typeof DOORS;
const doors = Object.keys(DOORS) as Door[];
const STEPS = ['stored', 'listed', 'found', 'corrected', 'exported', 'restored', 'forgotten'] as const;
type Step = (typeof STEPS)[number];

/** What is learned of a project belongs to the owner of project memory, whoever works on it. */
const userOf = (door: Door): string => (door === 'hooks' ? 'personal' : `user-of-${door}`);
const PROJECT = 'boats';
const scopeOf = (door: Door) => ({ user_id: userOf(door), ...(door === 'hooks' && { project: PROJECT }) });
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

async function storeBy(door: Door): Promise<void> {
  const [user_id, [word]] = [userOf(door), DOORS[door]];
  const said = toSaid(word);
  const turns = `Ann: ${said}\nMarlow: I see.\n`;
  const file = join(folder, `${door}.txt`);
  await writeFile(file, `[2024-03-05]\n${turns}`);
  const ok = async (ended: Promise<Ended>): Promise<void> => {
    const { code, stdout } = await ended;
    if (code !== 0) throw new Error(stdout);
  };
  const store: Record<Door, () => Promise<unknown>> = {
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
  await store[door]();
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

const readList = (door: Door, of: RunningHome) =>
  of.call('all', 'list_memories', { ...scopeOf(door), limit: 50 }) as unknown as Promise<Listed>;
const list = async (door: Door, of = home): Promise<string> => JSON.stringify((await readList(door, of)).memories);
const find = async (door: Door, word: string, of = home): Promise<string> =>
  JSON.stringify((await of.call('all', 'recall', { ...scopeOf(door), query: `Where is the ${word}?` }))['memories']);

async function correct(door: Door): Promise<boolean> {
  const [word, right] = DOORS[door];
  const { memories } = await readList(door, home);
  for (const { id, text } of memories.filter((one) => one.text.includes(word))) {
    await home.call('all', 'update_memory', { ...scopeOf(door), id, text: text.replaceAll(word, right) });
  }
  const now = [await list(door), await find(door, right)];
  return now.every((text) => text.includes(right) && !text.includes(word));
}

async function exportAs(door: Door): Promise<boolean> {
  const { code } = await home.cli('export', '--user', userOf(door), '--out', join(folder, `${door}.zip`));
  const pages = await home.call('all', 'export_user', { user_id: userOf(door) });
  const found: unknown[] = [pages];
  for (let page = pages; page['next_cursor'] !== undefined; found.push(page)) {
    page = await home.call('all', 'export_user', { user_id: userOf(door), cursor: page['next_cursor'] });
  }
  return code === 0 && JSON.stringify(found).includes(DOORS[door][1]);
}

async function forget(door: Door): Promise<string> {
  const words = ['forget', '--user', userOf(door), '--yes'];
  // What hooks keep lies on the machine of the command: another aggregator's are elsewhere.
  return (await (door === 'hooks' ? home.cliHere('', ...words) : home.cli(...words))).stdout;
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
  const fill = async (step: Step, door: Door, look: () => Promise<boolean>): Promise<void> => {
    const seen = await look().catch((error: unknown) => String(error));
    if (seen !== true) cells.set(`${door} ${step}`, String(seen));
  };
  const fillAll = async (step: Step, look: (door: Door) => Promise<boolean>): Promise<void> => {
    for (const door of doors) await fill(step, door, () => look(door));
  };
  await fillAll('stored', async (door) => {
    await storeBy(door);
    return true;
  });
  const users = (await home.cli('users', '--json')).stdout;
  await fillAll('listed', async (door) => users.includes(userOf(door)) && (await list(door)).includes(DOORS[door][0]));
  await fillAll('found', async (door) => (await find(door, DOORS[door][0])).includes(DOORS[door][0]));
  await fillAll('corrected', correct);
  await fillAll('exported', exportAs);
  const backup = await home.cli('backup', join(folder, 'all.zip'));
  expect({ code: backup.code, said: backup.code === 0 ? '' : backup.stdout }).toEqual({ code: 0, said: '' });
  other = await startHome(folder, 'second', userOf('chat'));
  const restored = await other.cli('restore', join(folder, 'all.zip'));
  expect({ code: restored.code, said: restored.code === 0 ? '' : restored.stdout }).toEqual({ code: 0, said: '' });
  await fillAll('restored', async (door) => (await find(door, DOORS[door][1], other)).includes(DOORS[door][1]));
  const receipts = new Map<Door, string>();
  for (const door of doors) receipts.set(door, await forget(door));
  for (const door of doors) {
    const left = await home.filesWith(DOORS[door]);
    await fill('forgotten', door, async () => left.length === 0 || Promise.reject(`${left} ${receipts.get(door)}`));
  }
  expect(Object.fromEntries(cells)).toEqual({});
}, 600_000);

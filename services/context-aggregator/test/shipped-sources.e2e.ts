import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const DEADLINE = { timeoutMs: 60_000 };

/** The composition as it is shipped, its data in a folder of its own. */
async function startShipped(env: Readonly<Record<string, string>>, folder: string): Promise<Upstreams> {
  const shipped = JSON.parse(await readFile(join(root, 'mcp_config.json'), 'utf8'));
  const aggregator = { ...shipped.aggregator, source_deadline_ms: 60_000 };
  const file = join(folder, 'mcp_config.json');
  const servers: Record<string, object> = {};
  for (const [name, entry] of Object.entries<object>(shipped.mcpServers)) servers[name] = { ...entry, cwd: root };
  await writeFile(file, JSON.stringify({ ...shipped, mcpServers: servers, aggregator }));
  const own = { PATH: String(process.env['PATH']), XDG_DATA_HOME: folder, HOME: folder, LOG_LEVEL: 'error', ...env };
  const node = (service: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [join(root, `services/${service}/dist/server.js`), ...args],
    env: own,
    cwd: folder,
  });
  return createUpstreams({
    servers: {
      aggregator: node('context-aggregator', '--config', file),
      personal: node('personal-memory'),
      knowledge: node('knowledge-base'),
    },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
    stderr: 'ignore' as const,
  });
}

let folder: string;
let upstreams: Upstreams;

async function call(server: string, tool: string, args: object) {
  const answer = await upstreams.call(server, tool, JSON.parse(JSON.stringify(args)), DEADLINE);
  if (answer.kind !== 'ok') throw new Error(JSON.stringify(answer));
  return answer.value;
}

const build = async (user_id: string, user_query: string, persona_name = 'marlow') => {
  const { text, structured } = await call('aggregator', 'build_prompt_with_context', {
    persona_name,
    user_id,
    user_query,
  });
  expect(structured).toMatchObject({ status: 'complete' });
  return text;
};

const personaAlone = async (persona: string): Promise<string> => build('nobody', 'Hello!', persona);

describe.each([
  ['for many users', { MULTI_USER: 'true' }, { user_id: 'ann' }],
  ['bound to one user', { USER_ID: 'ann' }, {}],
])('the sources of the shipped composition, personal memory %s', (_name, env, whose) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contextloom-shipped-'));
    upstreams = await startShipped(env, folder);
  }, 120_000);
  afterAll(async () => {
    await upstreams.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('add nothing while they have nothing', async () => {
    const prompt = await build('ann', 'Hello!');
    expect(prompt.startsWith('# Marlow System Prompt\n')).toBe(true);
    expect(await build('ann', 'What may I eat?')).toBe(prompt);
  });

  it('tell the profile and the core facts of the caller, and of nobody else', async () => {
    await call('personal', 'update_profile', { key: 'allergy', value: 'peanuts', ...whose });
    await call('knowledge', 'add_document', {
      doc_id: 'core-1',
      content: 'Ann is a nurse',
      tags: ['typed-memory', 'typed-memory/core', 'memory'],
      metadata: { user_id: 'ann', memory_type: 'core' },
    });
    const prompt = await build('ann', 'What may I eat?');
    expect(prompt).toContain('[Profile of the user]\n- allergy: peanuts\n');
    expect(prompt).toContain('[Core facts about the user]\n- Ann is a nurse\n');
    expect((await build('ann', 'Is Ann a nurse?')).split('Ann is a nurse')).toHaveLength(2);
    expect(await build('bob', 'What may I eat?')).toBe(await personaAlone('marlow'));
  });

  it('tell of the world of the persona that speaks, not of another', async () => {
    const lighthouse = await build('cid', '灯塔在哪里？', 'uozumi');
    expect(lighthouse).toContain('[世界书]\n- ');
    expect(await build('cid', '灯塔在哪里？', 'marlow')).toBe(await personaAlone('marlow'));
    expect(await personaAlone('uozumi')).not.toContain('[世界书]');
  });
});

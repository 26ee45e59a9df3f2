import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpstreams, installationRoot, installedComposition, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';

const conversation = JSON.stringify([
  { role: 'user', content: 'My brother Kit is allergic to walnuts, so I never bake with them.' },
  { role: 'assistant', content: 'I will remember that about Kit.' },
]);

let folder: string;
let upstreams: Upstreams | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom single 中文-'));
});
afterEach(async () => {
  await upstreams?.close();
  upstreams = undefined;
});
afterAll(() => rm(folder, { recursive: true }));

const patient = { timeoutMs: 120_000 };

/** Starts the aggregator of a program in `/`, as a desktop client does. */
function start(service: string, config: string): (tool: string, args: object) => Promise<Record<string, unknown>> {
  const program = join(installationRoot, 'services', service, 'dist', 'server.js');
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, LOG_LEVEL: 'error' };
  upstreams = createUpstreams({
    servers: { it: { command: process.execPath, args: [program, '--config', config], env, cwd: '/' } },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
    stderr: 'ignore',
  });
  return async (tool, args) => {
    const answer = await upstreams?.call('it', tool, { ...args }, patient);
    if (answer?.kind !== 'ok') throw new Error(JSON.stringify(answer));
    return answer.value.structured ?? {};
  };
}

/** The command lines of the processes that this one started, and of those that they started. */
async function listChildren(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
      return [{ pid, parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
    } catch {
      return []; // It has ended.
    }
  });
  const found = all.filter(({ parent }) => parent === String(process.pid));
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found.map(({ command }) => command).filter((command) => command.includes('server.js'));
}

const isLinux = process.platform === 'linux';

it('runs every server of the default composition in one process, on the data of separate ones', async () => {
  const call = start('single-process', installedComposition);
  const status = await call('get_service_status', {});
  expect(status).toMatchObject({ status: 'running' });
  expect(Object.keys(Object(status['components'])).length).toBeGreaterThanOrEqual(8);
  if (isLinux) expect(await listChildren()).toHaveLength(1);
  await call('store_conversation_memory', { user_id: 'tess', conversation_history: conversation });
  await upstreams?.close();

  const separate = start('context-aggregator', installedComposition);
  const question = { persona_name: 'marlow', user_id: 'tess', user_query: 'What is Kit allergic to?' };
  const { prompt } = await separate('build_prompt_with_context', question);
  expect(prompt).toContain('walnuts');
  if (isLinux) expect((await listChildren()).length).toBeGreaterThan(1);
  await upstreams?.close();

  const again = await start('single-process', installedComposition)('build_prompt_with_context', question);
  expect(again['prompt']).toBe(prompt);
});

it('goes on with the others when a server cannot open, and opens it once it can', async () => {
  const composition = JSON.parse(await readFile(installedComposition, 'utf8'));
  const program = (service: string) => join(installationRoot, 'services', service, 'dist/server.js');
  composition.mcpServers = {
    'persona-marlow': { command: 'node', args: [program('persona'), '--persona', 'marlow'] },
    'persona-own': { command: 'node', args: [program('persona'), '--persona', 'own', '--personas', 'personas'] },
    'knowledge-base': { command: 'node', args: [program('knowledge-base')] },
    'memory-processor': { command: 'node', args: [program('memory-processor')] },
  };
  composition.contextSources = [];
  const config = join(folder, 'composition.json');
  await writeFile(config, JSON.stringify(composition));
  const call = start('single-process', config);
  const before = await call('get_service_status', {});
  expect(before).toMatchObject({
    components: { 'persona-own': { status: 'unavailable' }, 'persona-marlow': { status: 'running' } },
  });
  // A relative path of an entry starts at the folder of the composition.
  await cp(join(installationRoot, 'services/persona/personas/marlow'), join(folder, 'personas/own'), {
    recursive: true,
  });
  const prompt = await call('build_prompt_with_context', { persona_name: 'own', user_id: 'tess', user_query: 'Hello' });
  expect(prompt['prompt']).toContain('Marlow');
});

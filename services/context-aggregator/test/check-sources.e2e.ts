import { spawn } from 'node:child_process';
import { createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadAggregatorConfig } from '../src/config.ts';
import { parseContextSources } from '../src/domain/context-sources/context-source.ts';
import { checkSources } from '../src/sources/declared/check-sources.ts';
import { type Composition, writeComposition } from './support/composition.ts';
import { serverFile, waitForEnd } from './support/server-process.ts';

const WEATHER = { name: 'weather', server: 'weather', tool: 'look_up', arguments: { user: '{{user_id}}', days: 2 } };
const AT = 'contextSources[0] (weather)';

let composition: Composition;
let upstreams: Upstreams;

beforeAll(async () => {
  composition = await writeComposition({
    servers: {
      weather: { fixture: 'source', script: {} },
      gone: { command: '/no/such/program' },
      'persona-ada': { fixture: 'persona-bare', script: {} },
      'persona-bea': { fixture: 'source', script: {} },
      'persona-cid': { fixture: 'source', script: {} },
    },
    contextSources: [{ ...WEATHER, tool: 'look_down' }],
  });
  const { servers } = await loadAggregatorConfig({ env: process.env, file: composition.file, ownFile: serverFile });
  upstreams = createUpstreams({ servers, log: silentLog, clientName: 'test', clientVersion: '0', stderr: 'ignore' });
});

afterAll(async () => {
  await upstreams.close();
  await composition.remove();
});

const check = (entry: Readonly<Record<string, unknown>>): Promise<void> =>
  checkSources(parseContextSources([entry], 'f', ['weather', 'gone', 'persona-ada', 'persona-bea', 'persona-cid']), {
    upstreams,
    timeoutMs: 200_000,
  });

describe('declared sources, against what their servers offer', () => {
  it.each([
    ['all that the tool wants', WEATHER],
    [
      'a number from the call, whose type is known then',
      { ...WEATHER, arguments: { user: 'ann', days: '{{memory_top_k}}' } },
    ],
    ['fields that the items have', { ...WEATHER, items: '/found/items', line: '{{day}}: {{sky}}' }],
    ['an answer that is not described', { ...WEATHER, items: '/other', line: '{{dai}}' }],
    ['a prompt', { name: 'weather', server: 'weather', prompt: 'day' }],
    [
      'a resource, of which servers list the templates alone',
      { name: 'weather', server: 'weather', resource: 'day://x' },
    ],
    ['a server that cannot be asked yet', { ...WEATHER, server: 'gone' }],
  ])('are taken with %s', async (_what, entry) => {
    await expect(check(entry)).resolves.toBeUndefined();
  });

  it.each([
    [
      'a tool',
      { ...WEATHER, tool: 'look_down' },
      `${AT}.tool is "look_down", which weather does not offer; it offers: look_up`,
    ],
    [
      'a prompt',
      { name: 'weather', server: 'weather', prompt: 'night' },
      `${AT}.prompt is "night", which weather does not offer`,
    ],
    [
      'an argument',
      { ...WEATHER, arguments: { user: 'ann', hours: 2 } },
      `${AT}.arguments.hours is no argument of look_up; it has: user, days`,
    ],
    [
      'an argument of another type',
      { ...WEATHER, arguments: { user: 'ann', days: 'two' } },
      `${AT}.arguments.days does not suit look_up`,
    ],
    [
      'what the tool requires',
      { ...WEATHER, arguments: { days: 2 } },
      `${AT}.arguments lacks "user", which look_up requires`,
    ],
    [
      'a field of the line',
      { ...WEATHER, items: '/found/items', line: '{{dai}}: {{sky}}' },
      `${AT}.line names {{dai}}, which an item of look_up does not have; it has: day, sky`,
    ],
  ])('are refused by their path for %s that there is not', async (_what, entry, message) => {
    await expect(check(entry)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(message) });
  });

  it('of personas are held against the first that has the tool, and no other process is started for it', async () => {
    const entry = { ...WEATHER, server: 'persona-{{persona_name}}' };
    await expect(check(entry)).resolves.toBeUndefined();
    expect(['persona-ada', 'persona-bea', 'persona-cid'].map((name) => upstreams.isOpen(name))).toEqual([
      true,
      true,
      false,
    ]);
    await expect(check({ ...entry, arguments: { hours: 2 } })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('end the start of the aggregator, which says why', async () => {
    const child = spawn(process.execPath, [serverFile, '--config', composition.file], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    expect(await waitForEnd(child)).not.toBe(0);
    expect(stderr).toContain('which weather does not offer; it offers: look_up');
  });
});

import { localPrincipal, type Principal } from '@contextloom/access';
import { afterEach, describe, expect, it } from '@jest/globals';
import { exampleDecision } from '../src/operations/examples.ts';
import { operations } from '../src/operations/index.ts';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase } from './support/scripts.ts';

const ann: Principal = { name: 'ann-key', users: ['ann'], projects: ['loom'], scopes: ['read', 'write'] };
const SERVERS = ['persona-uozumi', 'knowledge-base', 'memory-processor', 'house-weather', 'weather'];
const BUILD = { persona_name: 'uozumi', user_id: 'ann', user_query: '茶' };
const ask = { arguments: { user: '{{user_id}}' }, tool: 'look_up', items: '/found/items', line: '{{sky}}' };

let running: RunningAggregator | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const MEMORIES = { name: 'memories', use: 'memories' };
const HOUSE = { name: 'house', server: 'house-weather', serve_stale_s: 600, ...ask };
const SOURCES = [
  MEMORIES,
  HOUSE,
  { name: 'house-prompt', server: 'house-weather', prompt: 'day', arguments: { user: '{{user_id}}' } },
  { name: 'house-text', server: 'house-weather', resource: 'sky://now' },
  { name: 'strange', server: 'weather', ...ask },
  { name: 'strange-text', server: 'weather', resource: 'sky://now' },
  { name: 'strange-prompt', server: 'weather', prompt: 'day', arguments: { user: '{{user_id}}' } },
];

async function start(
  houseWeather: Readonly<Record<string, unknown>> = { items: [{ sky: '晴' }] },
  contextSources: readonly unknown[] = SOURCES,
) {
  running = await startAggregator({
    servers: {
      'persona-uozumi': barePersona(),
      'knowledge-base': knowledgeBase({ total: 1 }),
      'memory-processor': {
        fixture: 'memory-processor',
        script: { answer: { success: true, decision: exampleDecision, decisions: [], facts: [] } },
      },
      'house-weather': { fixture: 'source', script: houseWeather },
      weather: { fixture: 'source', script: { items: [{ sky: '雨' }], text: '雨' } },
    },
    aggregator: { source_deadline_ms: 200_000, own_servers: ['knowledge-base', 'memory-processor', 'house-weather'] },
    contextSources,
  });
  for (const server of SERVERS) await running.warm(server);
  return running;
}

const toHash = (structured: unknown): string => (structured as { manifest: { hash: string } }).manifest.hash;

describe('the operations of the aggregator', () => {
  it('have examples that their own schemas take', () => {
    for (const { name, input, output, example } of operations) {
      expect([name, input.safeParse(example?.input).error]).toEqual([name, undefined]);
      expect([name, output.safeParse(example?.output).data]).toEqual([name, example?.output]);
    }
  });

  it('about a user take the only one that the caller reaches, and refuse every other', async () => {
    const { connectAs, calls } = await start();
    const client = await connectAs(ann);
    for (const { name, example, scope, requires } of operations) {
      if (scope === 'none') continue;
      const { user_id: _named, ...args } = Object(example?.input) as Record<string, unknown>;
      for (const user_id of ['bob', 'Ann', ' ann']) {
        const refused = await client.callTool(name, { ...args, user_id });
        // Ann's key has no admin scope, which is checked first.
        const reason = requires === 'admin' ? 'needs the scope admin' : 'user_id must be';
        expect([name, refused.isError, refused.text]).toEqual([name, true, expect.stringContaining(reason)]);
      }
    }
    expect(await calls('knowledge-base')).toEqual([]);
    expect(await calls('memory-processor')).toEqual([]);
    for (const name of ['list_facts', 'list_decisions', 'get_user_memories']) {
      expect([name, (await client.callTool(name)).isError]).toEqual([name, false]);
    }
    expect(await calls('memory-processor')).toMatchObject([{ args: { user_id: 'ann' } }, { args: { user_id: 'ann' } }]);
  });
});

describe('a server of the house', () => {
  it('is told for whom it is called, and a stranger is not', async () => {
    const { connectAs, calls } = await start();
    const client = await connectAs(ann);
    expect((await client.callTool('build_prompt_with_context', BUILD)).isError).toBe(false);
    await client.callTool('undo_decision', { decision_id: 'decision-1' });
    for (const server of ['knowledge-base', 'memory-processor', 'house-weather']) {
      const told = (await calls(server)).map(({ principal }) => principal);
      expect([server, told.length > 0]).toEqual([server, true]);
      for (const principal of told) expect([server, principal]).toEqual([server, ann]);
    }
    expect((await calls('house-weather')).map(({ name }) => name).sort()).toEqual(['day', 'look_up', 'sky://now']);
    const strange = await calls('weather');
    expect(strange.map(({ name }) => name).sort()).toEqual(['day', 'look_up', 'sky://now']);
    for (const call of strange) expect(call).not.toHaveProperty('principal');
  });

  it('serves a caller of another reach with nothing that it answered this one before', async () => {
    const { connectAs } = await start({ mode: 'flap', items: [{ sky: '晴' }] }, [MEMORIES, HOUSE]);
    const prompt = async (principal: Principal) => {
      const client = await connectAs(principal);
      return client.callTool('build_prompt_with_context', BUILD);
    };
    expect((await prompt(localPrincipal)).text).toContain('- 晴');
    expect((await prompt(ann)).text).not.toContain('- 晴'); // The server has died, and what it last answered was for all.
  });
});

describe('explain_prompt', () => {
  it('explains a prompt to the caller that it was built for alone', async () => {
    const { connectAs } = await start();
    const [first, second] = [await connectAs(ann), await connectAs({ ...ann, name: 'other-key' })];
    const hash = toHash((await first.callTool('build_prompt_with_context', BUILD)).structured);
    expect(await second.callTool('explain_prompt', { hash })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no prompt with this hash'),
    });
    // The same prompt for another caller leaves the first one its own.
    expect(toHash((await second.callTool('build_prompt_with_context', BUILD)).structured)).toBe(hash);
    for (const client of [first, second]) {
      expect((await client.callTool('explain_prompt', { hash })).structured).toMatchObject({ hash, persona: 'uozumi' });
    }
  });
});

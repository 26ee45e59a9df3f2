import { localPrincipal } from '@contextloom/access';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase } from './support/scripts.ts';

const OF_OPERATORS = ['forget_user', 'list_users', 'export_user', 'import_user'];
const admin = { ...localPrincipal, name: 'operator-key' };

let running: RunningAggregator | undefined;
afterEach(() => running?.close());

const start = async (): Promise<RunningAggregator> => {
  running = await startAggregator({
    servers: {
      'knowledge-base': knowledgeBase({ total: 0 }),
      'personal-memory': { command: 'contextloom-no-such-command' },
      notes: barePersona(),
    },
    aggregator: { source_deadline_ms: 200_000, own_servers: ['knowledge-base', 'personal-memory'] },
  });
  return running;
};

describe('what operators do about users', () => {
  it('is shown to a key with the scope admin, and not to a model of the person who started the aggregator', async () => {
    const { client, connectAs } = await start();
    const namesFor = async (one: typeof client) => (await one.listTools()).tools.map(({ name }) => name);
    expect((await namesFor(client)).filter((name) => OF_OPERATORS.includes(name))).toEqual([]);
    expect((await namesFor(await connectAs(admin))).filter((name) => OF_OPERATORS.includes(name))).toEqual(
      OF_OPERATORS,
    );
  });

  it('names the servers that could not be asked, and tells servers of others nothing', async () => {
    const { client, calls } = await start();
    const missing = { server: 'personal-memory', why: expect.stringContaining('cannot be started') };
    expect((await client.callTool('list_users', {})).structured).toMatchObject({ users: [], unreached: [missing] });
    const exported = await client.callTool('export_user', { user_id: 'zelda' });
    expect(exported.structured).toMatchObject({ server: '', lines: '', unreached: [missing] });
    expect(exported.structured).not.toHaveProperty('next_cursor');
    expect((await calls('notes')).filter(({ args }) => JSON.stringify(args).includes('zelda'))).toEqual([]);
  });

  it('refuses a cursor of something else, and lines that no server of the composition takes', async () => {
    const { client } = await start();
    const refusal = async (tool: string, args: object) =>
      (await client.callTool(tool, { user_id: 'ann', ...args })).text;
    expect(await refusal('export_user', { cursor: 'x' })).toContain('cursor must be the next_cursor');
    const lines = { server: 'tasks', format: 'contextloom-tasks', version: 1, lines: '{}\n' };
    expect(await refusal('import_user', { ...lines, service: 'agent-memory' })).toContain(
      'of the service agent-memory',
    );
    expect(await refusal('import_user', { ...lines, service: 'personal-memory' })).toContain('cannot be started');
  });
});

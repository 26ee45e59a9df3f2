import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { createEmbeddedTransport, installationRoot, type StdioServerEntry, toFailure } from '@contextloom/mcp-client';
import { type Environment, setting, silentLog } from '@contextloom/runtime';
import { afterEach, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { createEmbed, toEmbeddable } from '../src/embed-servers.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { createMcpServer } from '../src/server/server-factory.ts';
import type { ServerProgram } from '../src/server-program.ts';

const settings = { place: setting({ env: ['PLACE'], schema: z.string(), default: 'here', description: 'A place' }) };

/** What happened to the servers, in order. */
const events: string[] = [];
const clients: Client[] = [];

const program: ServerProgram<typeof settings> = {
  name: 'persona',
  version: '0',
  summary: 'A server of this test.',
  settings,
  flags: { persona: { type: 'string', description: 'A name' } },
  build: ({ config, flags, env }) => {
    const opened = `${flags['persona']} ${config.place}`;
    if (flags['persona'] === 'unwell') throw new ContextloomError('unavailable', 'cannot open');
    events.push(`opens ${opened}`);
    const tell = defineOperation({
      name: 'tell',
      title: 'Tell',
      description: 'Tells.',
      effect: 'reads',
      scope: 'none',
      input: z.object({}),
      output: z.object({ opened: z.string(), secret: z.string().optional() }),
      example: { input: {}, output: { opened: 'x' } },
      run: async () => ({ opened, secret: env['OTHER_SECRET'] }),
    });
    const factory = createMcpServer({ name: 'persona', version: '0', operations: [tell], deps: {}, log: silentLog });
    return { factory, close: async () => void events.push(`closes ${opened}`) };
  },
};

const embed = createEmbed({ servers: { persona: toEmbeddable(async () => program) }, cwd: installationRoot });

const toEntry = (args: readonly string[], env: Environment = {}): StdioServerEntry => ({
  command: 'node',
  args: ['services/persona/dist/server.js', ...args],
  env: { ...env } as Record<string, string>,
  cwd: installationRoot,
});

async function connect(entry: StdioServerEntry): Promise<Client> {
  const serve = embed(entry);
  if (serve === undefined) throw new Error('needs a process of its own');
  const { transport, end } = createEmbeddedTransport(serve);
  const client = new Client({ name: 'test', version: '0' });
  const close = client.close.bind(client);
  client.close = async () => {
    await close();
    await end(0);
  };
  clients.push(client);
  await client.connect(transport).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  return client;
}

const tell = async (client: Client) => (await client.callTool({ name: 'tell', arguments: {} })).structuredContent;

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  events.length = 0;
});

it('opens a server with the flags and the variables of its entry, and no others', async () => {
  const client = await connect(toEntry(['--persona', 'uozumi'], { PLACE: 'there' }));
  process.env['OTHER_SECRET'] = 'of this process';
  expect(await tell(client)).toEqual({ opened: 'uozumi there' });
  delete process.env['OTHER_SECRET'];
});

it('tells why a server cannot open as one with a process of its own does', async () => {
  const error: unknown = await connect(toEntry(['--persona', 'unwell'])).catch((thrown: unknown) => thrown);
  expect(toFailure(error, { isOpen: false })).toEqual({
    kind: 'unavailable',
    reason: 'refused the MCP handshake',
    failure: { code: 'unavailable', message: 'cannot open' },
  });
});

it('opens equal entries once, and closes them with the last connection', async () => {
  const [first, second] = [
    await connect(toEntry(['--persona', 'uozumi'])),
    await connect(toEntry(['--persona', 'uozumi'])),
  ];
  const other = await connect(toEntry(['--persona', 'marlow']));
  expect(events).toEqual(['opens uozumi here', 'opens marlow here']);
  await first.close();
  expect(await tell(second)).toEqual({ opened: 'uozumi here' });
  await second.close();
  expect(await tell(other)).toEqual({ opened: 'marlow here' });
  expect(events.slice(2)).toEqual(['closes uozumi here']);
  await connect(toEntry(['--persona', 'uozumi']));
  expect(events.slice(3)).toEqual(['opens uozumi here']);
});

it('fails one connection when its server cannot open, and no other', async () => {
  const well = await connect(toEntry(['--persona', 'uozumi']));
  await expect(connect(toEntry(['--persona', 'unwell']))).rejects.toThrow('cannot open');
  await expect(connect(toEntry(['--colour', 'red']))).rejects.toThrow('Try --help');
  await expect(connect(toEntry(['--version']))).rejects.toThrow('serves nothing with --version');
  expect(await tell(well)).toEqual({ opened: 'uozumi here' });
});

it.each([
  ['another folder', { cwd: join(installationRoot, 'services') }],
  ['a program that is not of the installation', { args: ['/opt/other/server.js'] }],
  ['flags of Node', { args: ['--inspect', 'services/persona/dist/server.js'] }],
  ['a service that is not among them', { args: ['services/knowledge-base/dist/server.js'] }],
])('leaves an entry with %s to a process of its own', (_, change) => {
  expect(embed({ ...toEntry([]), ...change })).toBeUndefined();
});

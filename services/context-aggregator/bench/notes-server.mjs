// An upstream for real clients: a tool that tells its progress, one that waits until it is cancelled, and a note that changes.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const NOTE = { uri: 'note://today', name: 'today', mimeType: 'text/plain' };
const text = (words) => ({ content: [{ type: 'text', text: words }] });
/** How often the note changes for those who watch it, in milliseconds. */
const CHANGE_MS = 200;
const inputSchema = { type: 'object', properties: {} };

const tools = {
  count: async ({ notify, _meta }) => {
    for (let progress = 1; progress <= 3; progress += 1)
      if (_meta?.progressToken !== undefined)
        await notify({
          method: 'notifications/progress',
          params: { progressToken: _meta.progressToken, progress, total: 3 },
        });
    return text('counted');
  },
  wait: async ({ signal }) => {
    appendFileSync(process.env.STATE_FILE, 'waiting\n');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    appendFileSync(process.env.STATE_FILE, 'cancelled\n');
    return text('cancelled');
  },
};

function createNotes({ era }) {
  const server = new Server(
    { name: 'notes', version: '1' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } } },
  );
  // To a client of 2026-07-28 the SDK passes on what it listens for.
  const watched = new Set(era === 'modern' ? [NOTE.uri] : []);
  const tell = () => {
    for (const uri of watched) server.sendResourceUpdated({ uri }).catch(() => undefined);
  };
  setInterval(tell, CHANGE_MS).unref();
  const answers = {
    'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema })) }),
    'tools/call': ({ name }, mcpReq) => tools[name](mcpReq),
    'resources/list': () => ({ resources: [NOTE] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'tea' }] }),
    'resources/subscribe': ({ uri }) => {
      watched.add(uri);
      return {};
    },
    'resources/unsubscribe': ({ uri }) => {
      watched.delete(uri);
      return {};
    },
  };
  server.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => answers[method](params ?? {}, mcpReq);
  return server;
}

serveStdio(createNotes);

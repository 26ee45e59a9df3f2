// An upstream that answers at once with as many characters as it is asked for: over stdio, or over HTTP with --http.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

function createEcho() {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.fallbackRequestHandler = async ({ method, params }) =>
    method === 'tools/call'
      ? { content: [{ type: 'text', text: 'x'.repeat(params.arguments.size) }] }
      : { tools: [{ name: 'echo', inputSchema: { type: 'object', properties: { size: { type: 'integer' } } } }] };
  return server;
}

async function serveHttp() {
  const { createHttpApp, createMcpEndpoint, listen } = await import('@contextloom/server-kit');
  const { silentLog } = await import('@contextloom/runtime');
  const app = await createHttpApp();
  app.all('/mcp', createMcpEndpoint(createEcho, { log: silentLog }).handle);
  const { url } = await listen(app, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`${JSON.stringify({ url: `${url}/mcp` })}\n`);
}

if (process.argv.includes('--http')) await serveHttp();
else serveStdio(createEcho);

import { silentLog } from '@contextloom/runtime';
import { createHttpApp, createMcpEndpoint, listen, type McpEndpoint } from '@contextloom/server-kit';
import { fromJsonSchema, McpServer, type McpServerFactory, type ServerContext } from '@modelcontextprotocol/server';

/** A server of others that has accounts: what it lists and answers is of the account that a request shows. */
export interface AccountUpstream {
  readonly address: string;
  /** Requests that came over the session of another account. */
  readonly mixed: () => number;
  /** How many sessions were opened. */
  readonly sessions: () => number;
  /** As a restart does: it knows no session any more. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** Who has an account, by the bearer token of a request; and where tokens come from. */
export interface AccountUpstreamOptions {
  readonly userOf: (token: string) => string | undefined;
  readonly issuer?: string;
}

/** Starts it on this machine. */
export async function startAccountUpstream({ userOf, issuer }: AccountUpstreamOptions): Promise<AccountUpstream> {
  let [mixed, sessions] = [0, 0];
  const ownerOf = (headers: Headers | undefined): string | undefined =>
    userOf(headers?.get('authorization')?.replace(/^Bearer /, '') ?? '');

  const factory: McpServerFactory = ({ requestInfo }) => {
    sessions += 1;
    const owner = ownerOf(requestInfo?.headers);
    const seen = ({ http }: ServerContext): string => {
      const account = ownerOf(http?.req?.headers);
      if (account !== owner) mixed += 1;
      return String(account);
    };
    const server = new McpServer({ name: 'wiki', version: '1' });
    server.registerTool('whoami', { inputSchema: fromJsonSchema({ type: 'object' }) }, (_args, context) => ({
      content: [{ type: 'text', text: seen(context) }],
    }));
    server.registerTool(`pages_of_${owner}`, { inputSchema: fromJsonSchema({ type: 'object' }) }, (_args, context) => ({
      content: [{ type: 'text', text: seen(context) }],
    }));
    server.registerPrompt('greet', {}, (context) => ({
      messages: [{ role: 'user', content: { type: 'text', text: seen(context) } }],
    }));
    server.registerResource('me', 'me://now', {}, (uri, context) => ({
      contents: [{ uri: uri.href, text: seen(context) }],
    }));
    return server;
  };

  let endpoint: McpEndpoint = createMcpEndpoint(factory, { log: silentLog, drainMs: 0 });
  const app = await createHttpApp();
  app.get('/.well-known/oauth-protected-resource/mcp', (_request, response) => {
    response.json({ resource: `${listening.url}/mcp`, authorization_servers: [issuer] });
  });
  app.all('/mcp', (request, response, next) => {
    if (userOf(request.headers.authorization?.replace(/^Bearer /, '') ?? '') !== undefined)
      return endpoint.handle(request, response, next);
    const metadata = `${listening.url}/.well-known/oauth-protected-resource/mcp`;
    if (issuer !== undefined) response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
    response.status(401).json({ error: 'unauthorized' });
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 0 });
  return {
    address: `${listening.url}/mcp`,
    mixed: () => mixed,
    sessions: () => sessions,
    forget: () => {
      const old = endpoint;
      endpoint = createMcpEndpoint(factory, { log: silentLog, drainMs: 0 });
      void old.close();
    },
    close: async () => {
      await Promise.all([listening.close(), endpoint.close()]);
    },
  };
}

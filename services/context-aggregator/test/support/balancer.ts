import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A balancer in front of replicas of a server. */
export interface Balancer {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

/**
 * Starts a balancer as they are set up in front of MCP servers: requests go to the replicas in turn, those of a session to the one
 * that began it where it is sticky, and those for a replica that cannot be reached to the next one. The list may change.
 */
export async function startBalancer(replicas: readonly URL[], { isSticky = true } = {}): Promise<Balancer> {
  const sessions = new Map<string, number>();
  let turn = 0;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const session = request.headers['mcp-session-id'];
    const first = (typeof session === 'string' ? sessions.get(session) : undefined) ?? turn++ % replicas.length;

    function pass(at: number, triesLeft: number): void {
      const replica = replicas[at % replicas.length] as URL;
      const headers: IncomingHttpHeaders = { ...request.headers, host: replica.host };
      const passed = send(new URL(request.url ?? '/', replica), { method: request.method ?? 'GET', headers });
      passed.on('response', (answer) => {
        const begun = answer.headers['mcp-session-id'];
        if (isSticky && typeof begun === 'string') sessions.set(begun, at % replicas.length);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => response.destroy()).pipe(response);
      });
      passed.on('error', (error) => {
        const isRefused = 'code' in error && error.code === 'ECONNREFUSED';
        if (isRefused && triesLeft > 0) pass(at + 1, triesLeft - 1);
        else if (response.headersSent) response.destroy();
        else response.writeHead(502).end();
      });
      response.on('close', () => passed.destroy());
      passed.end(body);
    }

    pass(first, replicas.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp/all`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint in front of an HTTP server, at which one request waits: a test decides what happens before it goes on. */
export interface HttpGate {
  readonly url: string;
  /** Resolves when the request has come. */
  readonly reached: Promise<void>;
  /** Lets it go on, unless its client is gone by then. */
  readonly open: () => void;
  readonly close: () => Promise<void>;
}

function forward(target: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const url = new URL(request.url ?? '/', target);
  const onward = startRequest(url, { method, headers: { ...headers, host: url.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

/**
 * Starts a gate on a free port of 127.0.0.1 in front of the server at `target`, where the `nth` POST, from 1, to a path that
 * ends in `path` waits; all other requests go on at once.
 */
export async function startHttpGate(
  target: string,
  { path, nth }: { readonly path: string; readonly nth: number },
): Promise<HttpGate> {
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let met = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url?.endsWith(path) === true) met += 1;
    else return forward(target, request, response);
    if (met !== nth) return forward(target, request, response);
    reach();
    void opened.then(() => {
      if (!request.destroyed) forward(target, request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    open: () => open(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

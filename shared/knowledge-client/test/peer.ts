import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a peer saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly ifMatch: string | undefined;
}

/** An HTTP server that behaves as a test tells it, and remembers what it was asked. */
export interface Peer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

type Behaviour = (response: ServerResponse, request: IncomingMessage, nth: number) => void;

/** Starts a peer on a free port. */
export async function startPeer(behave: Behaviour): Promise<Peer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    seen.push({ method, path: url, body: Buffer.concat(chunks).toString(), ifMatch: headers['if-match'] });
    behave(response, request, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers JSON. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

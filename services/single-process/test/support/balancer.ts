import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** An address that hands each request to the next of several servers. */
export interface Balancer {
  readonly url: string;
  /** Sends a server nothing from now on, as an orchestrator has it for one that is about to be ended. */
  readonly withdraw: (port: number) => void;
  readonly restore: (port: number) => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens a balancer without stickiness, as deploy/balancer.conf has it: a server that takes no connection is passed over, and nothing that
 * one of them was sent is sent to another.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const withdrawn = new Set<number>();
  let turn = 0;
  const pass = (incoming: IncomingMessage, answer: ServerResponse, body: Buffer, left: number): void => {
    turn += 1;
    const usable = ports.filter((one) => !withdrawn.has(one));
    const port = usable[turn % usable.length];
    const { method, url, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    let isSent = false;
    outgoing.once('socket', (socket) => socket.once('connect', () => (isSent = true)));
    outgoing.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      response.pipe(answer);
      response.once('error', () => answer.destroy());
    });
    outgoing.once('error', ({ message }) => {
      if (!isSent && left > 0) pass(incoming, answer, body, left - 1);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(message);
    });
    answer.once('close', () => outgoing.destroy());
    outgoing.end(body);
  };
  const server = createServer(async (incoming, answer) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    pass(incoming, answer, Buffer.concat(parts), ports.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    withdraw: (port) => {
      withdrawn.add(port);
    },
    restore: (port) => {
      withdrawn.delete(port);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** An address that leads to one server, and later to another. */
export interface Relay {
  readonly port: number;
  /** Ends what is open, and leads to another port from now on. */
  readonly leadTo: (port: number) => void;
  readonly close: () => Promise<void>;
}

/** Opens an address on this machine that leads to a port of it. */
export async function startRelay(first: number): Promise<Relay> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    leadTo: (port) => {
      target = port;
      cut();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { findFreePort } from './chroma-server.ts';

/** A line to a server on this machine that a test makes slow, silent or broken. */
export interface TcpProxy {
  readonly url: string;
  /** How long each piece of an answer is held back, in milliseconds. */
  delayMs: number;
  /** While true, answers are swallowed and connections stay open. */
  isSilent: boolean;
  /** Breaks every open connection; new ones are taken. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a line to a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy()); // The other end went away: so does this one.
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const port = await findFreePort();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    keep(near);
    keep(far);
    near.pipe(far);
    far.on('data', (chunk) => {
      if (proxy.isSilent) return;
      setTimeout(() => near.destroyed || near.write(chunk), proxy.delayMs);
    });
    far.once('close', () => setTimeout(() => near.destroy(), proxy.delayMs));
    near.once('close', () => far.destroy());
  });
  const proxy: TcpProxy = {
    url: `http://127.0.0.1:${port}`,
    delayMs: 0,
    isSilent: false,
    cut,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return proxy;
}

import { createServer } from 'node:net';
import { ContextloomError } from '@contextloom/contracts';

/** A port that a service is about to take, and how the user can choose another. */
export interface PortWish {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The option, and the variable if there is one, that changes it: part of the error message. */
  readonly changeWith: string;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'cannot be opened, since this machine does not have that address',
  ENOTFOUND: 'cannot be opened, since that host name is unknown',
};

/**
 * Finds out whether a port can be opened before anything is started, and which one stands for 0.
 * @throws ContextloomError `conflict`, naming port, address and how to change them
 */
export function findPort({ host, port, changeWith }: PortWish): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = reasons[cause.code ?? ''] ?? 'cannot be opened';
      const message = `port ${port} on ${host} ${reason}: choose another with ${changeWith}`;
      reject(new ContextloomError('conflict', message, { field: 'port', cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(actual));
    });
  });
}

/** The base address under which this machine reaches a service that listens on `host`. */
export function toBaseUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

import { createServer, type RequestListener } from 'node:http';
import { ContextloomError } from '@contextloom/contracts';

/** An endpoint that is open. */
export interface Listening {
  /** Base address without a trailing slash, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets running requests finish for up to `graceMs`, then cuts them. */
  readonly close: () => Promise<void>;
}

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** How long a closing endpoint waits for running requests, in milliseconds. */
  readonly graceMs?: number;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program; choose another port',
  EACCES: 'may not be opened by this user; choose a port above 1023',
  EADDRNOTAVAIL: 'cannot be opened: this machine does not have that address',
};

/** How often a closing endpoint looks for connections that have become idle, in milliseconds. */
const SWEEP_MS = 50;

function toListenError(error: NodeJS.ErrnoException, { host, port }: ListenOptions): ContextloomError {
  const reason = reasons[error.code ?? ''] ?? 'cannot be opened';
  return new ContextloomError('conflict', `port ${port} on ${host} ${reason}`, { field: 'port', cause: error });
}

/**
 * Opens an HTTP endpoint.
 * @throws ContextloomError `conflict` when the port cannot be had
 */
export function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, graceMs = 3_000 } = options;
  const server = createServer(handler);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(error, options)));
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === 'object' && address !== null ? address.port : port;
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${shown}:${actual}`, port: actual, close: () => closeServer() });
    });
  });

  function closeServer(): Promise<void> {
    return new Promise((resolve) => {
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      // A connection whose request has just been answered is idle, and kept for seconds.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      server.close(() => {
        clearTimeout(cut);
        clearInterval(sweep);
        resolve();
      });
    });
  }
}

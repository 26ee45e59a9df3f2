import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server on a free port. */
export interface Answering {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves `/mcp` with whatever the listener answers. */
export async function answerWith(listener: RequestListener): Promise<Answering> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An address at which something listened until now. */
export async function findClosedAddress(): Promise<string> {
  const { url, close } = await answerWith(() => undefined);
  await close();
  return url;
}

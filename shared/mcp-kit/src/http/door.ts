import type { Identify } from '../access/identify.ts';
import type { Log } from '../log.ts';
import type { HttpApi } from './api.ts';
import { type Listening, listen } from './listen.ts';
import { DRAIN_MS, type McpEndpoint } from './mcp-endpoint.ts';

/** What stands behind a door, and where it opens. */
export interface DoorOptions {
  readonly mcp: McpEndpoint;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Host names besides that and loopback's under which the service is reached, without ports. */
  readonly allowedHosts: readonly string[];
  /** Tells who calls; without it everybody is whoever started the server. */
  readonly identify?: Identify;
  readonly log: Log;
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

const REACHED = 'others than this machine may reach the service';
const UNKNOWN = 'and nobody is authenticated: whoever reaches it reads and writes in the name of any user';

/**
 * Opens a service's HTTP door, and warns where others than this machine reach it. Closing it takes nothing more, lets what
 * is under way be answered for a few seconds, and cuts the rest.
 * @throws ContextloomError `conflict` when the port cannot be had
 */
export async function openDoor(api: HttpApi, options: DoorOptions): Promise<Listening> {
  const { mcp, host, port, allowedHosts, identify, log } = options;
  const app = await api.toApp({
    mcp,
    allowedHosts: [...allowedHosts, host],
    ...(identify !== undefined && { identify }),
  });
  const listening = await listen(app, { host, port, graceMs: DRAIN_MS + 1_000 });
  if (!isLoopback(host)) log.warn({ host }, api.hasToken ? REACHED : `${REACHED}, ${UNKNOWN}`);
  return {
    ...listening,
    close: async () => {
      // Streams of MCP stay open until their endpoint is closed.
      await Promise.all([listening.close(), mcp.close()]);
    },
  };
}

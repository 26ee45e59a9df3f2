import type { Access } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { MaskCall } from '../privacy/mask-call.ts';
import type { HttpApi } from './api.ts';
import { type Listening, listen } from './listen.ts';
import { DRAIN_MS, type McpEndpoint } from './mcp-endpoint.ts';
import type { Site } from './site.ts';

/** What stands behind an endpoint, and where it opens. */
export interface ListenHttpOptions {
  readonly mcp: McpEndpoint;
  /** More endpoints, each at `/mcp/<name>`. */
  readonly at?: Readonly<Record<string, McpEndpoint>>;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Host names besides that and loopback's under which the service is reached, without ports. */
  readonly allowedHosts: readonly string[];
  /** Who may call; without it every caller has the rights of the user who started the server. */
  readonly access?: Access | undefined;
  /** Whether others than this machine may be let in without being asked who they are. */
  readonly isInsecure?: boolean;
  /** Masks what calls bring to be stored. */
  readonly mask?: MaskCall | undefined;
  /** The page at `/`. */
  readonly site?: Site | undefined;
  readonly log: Log;
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

const REACHED = 'others than this machine may reach the service';
const UNKNOWN = 'and nobody is authenticated: any caller that reaches it reads and writes in the name of any user';

/**
 * Opens a service's HTTP endpoint. Other machines need keys, unless `--insecure` is set.
 * Closing it takes nothing more, lets what is under way be answered for a few seconds, and cuts the rest.
 * @throws ContextloomError `conflict` when the port cannot be had, `invalid` for a host that others reach without keys
 */
export async function listenHttp(api: HttpApi, options: ListenHttpOptions): Promise<Listening> {
  const { mcp, at = {}, site, mask, host, port, allowedHosts, access, isInsecure = false, log } = options;
  const isAuthRequired = api.hasToken || access?.guard.isAuthRequired?.() === true;
  if (!isLoopback(host) && !isAuthRequired && !isInsecure) throw withoutKeys(host);
  const { guard, audit, metrics, protectedResource, authorization } = access ?? {};
  const names = [...allowedHosts, host];
  const behind = { guard, audit, metrics, protectedResource, authorization };
  const app = await api.toApp({ mcp, at, allowedHosts: names, site, mask, ...behind });
  const listening = await listen(app, { host, port, graceMs: DRAIN_MS + 1_000 });
  if (!isLoopback(host)) log.warn({ host }, isAuthRequired ? REACHED : `${REACHED}, ${UNKNOWN}`);
  else if (!isAuthRequired)
    log.info({ host }, 'no keys: only this machine is answered ("contextloom keys add" makes one)');
  return {
    ...listening,
    close: async () => {
      // Streams of MCP stay open until their endpoint is closed.
      await Promise.all([listening.close(), ...[mcp, ...Object.values(at)].map((endpoint) => endpoint.close())]);
      await audit?.close();
      await authorization?.close();
    },
  };
}

function withoutKeys(host: string): ContextloomError {
  const problem = `others than this machine reach ${host}, and there are no keys`;
  const advice = 'make one with "contextloom keys add <name>", or say --insecure (ALLOW_INSECURE=true)';
  return new ContextloomError('invalid', `${problem}: ${advice}`, { field: '--host' });
}

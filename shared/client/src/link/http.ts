import { ContextloomError } from '@contextloom/contracts/errors';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { HttpOptions } from '../options.ts';

/** Every operation is at `/mcp/all`; what the aggregator prints is the address of its default profile, `/mcp`. */
const DEFAULT_PATHS: Readonly<Record<string, string>> = { '/': '/mcp/all', '/mcp': '/mcp/all' };

function toEndpoint(url: string | URL): URL {
  const endpoint = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (endpoint === undefined || !/^https?:$/.test(endpoint.protocol)) {
    throw new ContextloomError('invalid', 'url must be an http or https address', { field: 'url' });
  }
  endpoint.pathname = DEFAULT_PATHS[endpoint.pathname] ?? endpoint.pathname;
  return endpoint;
}

/**
 * Prepares transports to an aggregator at an address; nothing is sent yet.
 * @throws ContextloomError `invalid` for an address that is not HTTP's
 */
export function toHttp({ url, key, headers = {}, fetch = globalThis.fetch }: HttpOptions): () => Transport {
  const endpoint = toEndpoint(url);
  const withKey: typeof globalThis.fetch = async (input, init) => {
    const all = new Headers(init?.headers);
    const shown = typeof key === 'function' ? await key() : key;
    if (shown !== undefined) all.set('authorization', `Bearer ${shown}`);
    return fetch(input, { ...init, headers: all });
  };
  return () =>
    new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: { ...headers } }, fetch: withKey });
}

import type { Principal, UpstreamCallOptions, Upstreams } from '@contextloom/mcp-kit';

/**
 * Upstreams that tell servers of our own for whom they are asked, so that each answers what this principal may see. A server
 * of others does not learn it.
 */
export function toCallerUpstreams(upstreams: Upstreams, own: ReadonlySet<string>, principal: Principal): Upstreams {
  const name = (server: string, options: UpstreamCallOptions): UpstreamCallOptions =>
    own.has(server) ? { ...options, principal } : options;
  return {
    ...upstreams,
    call: (server, tool, args, options) => upstreams.call(server, tool, args, name(server, options)),
    getPrompt: (server, prompt, args, options) => upstreams.getPrompt(server, prompt, args, name(server, options)),
    readResource: (server, uri, options) => upstreams.readResource(server, uri, name(server, options)),
  };
}

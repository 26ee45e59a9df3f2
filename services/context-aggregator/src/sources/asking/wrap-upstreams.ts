import type { Principal } from '@contextloom/access';
import type { UpstreamCallOptions, UpstreamResult, Upstreams } from '@contextloom/mcp-client';

/**
 * Upstreams that tell a failure in a server's words for servers of our own alone: anybody can write what these write into an
 * answer, and a message that looks like ours would stand before a model as ours.
 */
export function withoutForeignFailures(upstreams: Upstreams, own: ReadonlySet<string>): Upstreams {
  const screen = async <T>(server: string, answer: Promise<UpstreamResult<T>>): Promise<UpstreamResult<T>> => {
    const result = await answer;
    if (result.kind === 'ok' || result.failure === undefined || own.has(server)) return result;
    const { failure, ...rest } = result;
    return { ...rest, answer: rest.answer ?? failure.message };
  };
  return {
    ...upstreams,
    call: (server, ...rest) => screen(server, upstreams.call(server, ...rest)),
    ping: (server, ...rest) => screen(server, upstreams.ping(server, ...rest)),
    listTools: (server, ...rest) => screen(server, upstreams.listTools(server, ...rest)),
    listPrompts: (server, ...rest) => screen(server, upstreams.listPrompts(server, ...rest)),
    getPrompt: (server, ...rest) => screen(server, upstreams.getPrompt(server, ...rest)),
    readResource: (server, ...rest) => screen(server, upstreams.readResource(server, ...rest)),
  };
}

/**
 * Upstreams that tell servers of our own for whom they are called, so that each answers what this principal may see. A server
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

import { auditOf } from '@contextloom/access';
import type { Log } from '@contextloom/runtime';
import { type ClientCapabilities, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { type Catalogue, createCatalogue, type Exposed } from './catalogue/catalogue.ts';
import { createDiscovery } from './catalogue/discovery.ts';
import { type Found, findProvider } from './catalogue/find-provider.ts';
import type { Call } from './messages/call.ts';
import type { ListKind, Session } from './messages/provider.ts';
import { failureOf, type Raw, type RpcAnswer, type RpcRequest } from './messages/rpc.ts';
import type { createSuspendedCalls } from './messages/suspended-calls.ts';

/**
 * Writes a call to another server down where calls are audited. The aggregator's own operations do so themselves; a question
 * to the client is no end of a call. URIs can tell what was said, and are left out.
 */
function auditCall({ provider }: Found, sent: RpcRequest, call: Call, answer: RpcAnswer): void {
  const audit = auditOf(call.authInfo);
  if (audit === undefined || provider.trust === 'self') return;
  const outcome = toOutcome(answer);
  if (outcome === undefined) return;
  const { method, params } = sent;
  const name = params?.['name'];
  const operation = typeof name === 'string' ? `${method} ${name}` : `${method} ${provider.name}`;
  audit.write({ principal: call.principal, operation, subjects: toSubjects(params), outcome });
}

/** Undefined for a call that goes on. */
function toOutcome(answer: RpcAnswer): string | undefined {
  if ('result' in answer && answer.result['resultType'] === 'input_required') return undefined;
  return failureOf(answer) ?? 'ok';
}

/** Whom a call is about, where it says so in our `_meta`. */
function toSubjects(params: Raw | undefined): readonly string[] {
  const { user_id: user } = Object(params?.['arguments']) as Raw;
  return typeof user === 'string' ? [user] : [];
}

/** What one client's session is made from. */
export interface SessionOptions {
  readonly exposed: readonly Exposed[];
  /** Whether the caller may use what changes something. */
  readonly mayWrite: boolean;
  /** What the client can do. */
  readonly capabilities: ClientCapabilities;
  /** Whether tools are listed, or found by a search. */
  readonly discovery: Discovery;
  /** Calls that wait for an answer of the client: they outlive a change of what is offered. */
  readonly suspended: ReturnType<typeof createSuspendedCalls>;
  readonly log: Log;
}

/** How a client learns of tools: all are listed, or it searches for those that it needs. */
export type Discovery = 'list' | 'search';

const lists: Readonly<Record<string, ListKind>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** Answers a client's requests from the providers that have what they name. */
export function createSession(options: SessionOptions): Session {
  const { exposed, mayWrite, capabilities, discovery, log } = options;
  const catalogue = createCatalogue({ exposed, mayWrite, capabilities, log });
  const session = createListedSession(options, catalogue);
  return discovery === 'search' ? createDiscovery(session, catalogue) : session;
}

function createListedSession({ exposed, suspended }: SessionOptions, catalogue: Catalogue): Session {
  const providers = exposed.map(({ provider }) => provider);
  return {
    tool: async (name) => (await catalogue.find('tools', name))?.shown,
    notify: (notification) => {
      for (const provider of providers) provider.notify(notification);
    },
    handle: async (request, call) => {
      const { method } = request;
      const kind = lists[method];
      if (kind !== undefined) return { result: { [kind]: (await catalogue.list(kind)).map(({ shown }) => shown) } };
      if (method === 'logging/setLevel') {
        const level = String(request.params?.['level']);
        await Promise.all(providers.map((provider) => provider.setLevel(level, call)));
        return { result: {} };
      }
      const found = await findProvider(request, catalogue, call.signal);
      if (found === undefined) return refuse(ProtocolErrorCode.MethodNotFound, 'Method not found');
      if ('error' in found) return toNotFound(found, call);
      const answer = await suspended.run(found.request, call, (sent) => serve(found, request, sent));
      auditCall(found, request, call, answer);
      return toNotFound(answer, call);
    },
  };
}

/** A subscription is kept by its provider, since it has to be made again on each connection. */
async function serve({ provider, request, tool }: Found, sent: RpcRequest, call: Call): Promise<RpcAnswer> {
  const { method, params } = request;
  const uri = String(params?.['uri']);
  if (method === 'resources/unsubscribe') return provider.unwatch(uri, call);
  if (method !== 'resources/subscribe') return provider.request(request, call, tool);
  if (provider.trust === 'first-party') {
    // Its connection is one for all clients: who may read a resource may watch it.
    const read = await provider.request({ method: 'resources/read', params }, call);
    if ('error' in read) return read;
  }
  return provider.watch(uri, String(sent.params?.['uri']), call);
}

/** The code of a resource that there is not: clients of revisions before 2026-07-28 know another. Source: MCP, resources, error handling. */
function toNotFound(answer: RpcAnswer, { era }: Call): RpcAnswer {
  if (!('error' in answer) || era === 'modern') return answer;
  const { code, data } = answer.error;
  const isResource = Object.keys(Object(data)).join() === 'uri' && code === ProtocolErrorCode.InvalidParams;
  return isResource ? { error: { ...answer.error, code: ProtocolErrorCode.ResourceNotFound } } : answer;
}

const refuse = (code: number, message: string): RpcAnswer => ({ error: { code, message } });

import type { Log } from '@contextloom/mcp-kit';
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Call } from './call.ts';
import { type Catalogue, createCatalogue, type Entry, type Exposed } from './catalogue.ts';
import type { ListKind } from './provider.ts';
import type { RpcAnswer, RpcNotification, RpcRequest } from './rpc.ts';

/** What one client's session is made from. */
export interface SessionOptions {
  readonly exposed: readonly Exposed[];
  /** Whether the caller may use what changes something. */
  readonly mayWrite: boolean;
  readonly log: Log;
}

/** All that one client sees of the providers. */
export interface Session {
  readonly handle: (request: RpcRequest, call: Call) => Promise<RpcAnswer>;
  /** Tells servers something of the client. */
  readonly notify: (notification: RpcNotification) => void;
}

const lists: Readonly<Record<string, ListKind>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** Where a request names what it is about. */
const named: Readonly<Record<string, { readonly kind: ListKind; readonly field: string }>> = {
  'tools/call': { kind: 'tools', field: 'name' },
  'prompts/get': { kind: 'prompts', field: 'name' },
};

/** Answers a client's requests from the providers that have what they name. */
export function createSession({ exposed, mayWrite, log }: SessionOptions): Session {
  const catalogue = createCatalogue({ exposed, mayWrite, log });
  return {
    notify: (notification) => {
      for (const { provider } of exposed) provider.notify(notification);
    },
    handle: async (request, call) => {
      const { method } = request;
      const kind = lists[method];
      if (kind !== undefined) return { result: { [kind]: (await catalogue.list(kind)).map(({ shown }) => shown) } };
      const about = named[method];
      if (about !== undefined) return pass(catalogue, about, request, call);
      return refuse(ProtocolErrorCode.MethodNotFound, 'Method not found');
    },
  };
}

async function pass(
  catalogue: Catalogue,
  { kind, field }: { readonly kind: ListKind; readonly field: string },
  { method, params }: RpcRequest,
  call: Call,
): Promise<RpcAnswer> {
  const key = params?.[field];
  const entry = typeof key === 'string' ? await catalogue.find(kind, key) : undefined;
  if (entry === undefined) {
    const what = kind === 'tools' ? 'tool' : 'prompt';
    return refuse(ProtocolErrorCode.InvalidParams, `Unknown ${what}: ${String(key)}`);
  }
  return ask(entry, { method, params: { ...params, [field]: entry.own } }, call);
}

function ask({ provider }: Entry, request: RpcRequest, call: Call): Promise<RpcAnswer> {
  return provider.request(request, call);
}

const refuse = (code: number, message: string): RpcAnswer => ({ error: { code, message } });

import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { ListKind, Provider } from '../messages/provider.ts';
import type { Raw, RpcAnswer, RpcRequest } from '../messages/rpc.ts';
import type { Catalogue, Entry } from './catalogue.ts';

/** Whose request it is, and what it is called there. */
export interface Found {
  readonly provider: Provider;
  readonly request: RpcRequest;
}

type Refused = Extract<RpcAnswer, { readonly error: unknown }>;

type Find = (request: RpcRequest, catalogue: Catalogue) => Promise<Found | Refused>;

const byName =
  (kind: ListKind, what: string): Find =>
  async ({ method, params }, catalogue) => {
    const name = params?.['name'];
    const entry = typeof name === 'string' ? await catalogue.find(kind, name) : undefined;
    if (entry === undefined) return refuse(`Unknown ${what}: ${String(name)}`);
    return { provider: entry.provider, request: { method, params: { ...params, name: entry.own } } };
  };

const byUri: Find = async ({ method, params }, catalogue) => {
  const uri = params?.['uri'];
  const entry = typeof uri === 'string' ? await findResource(catalogue, uri) : undefined;
  if (entry === undefined) return refuse(`Resource not found: ${String(uri)}`, { uri });
  return { provider: entry.provider, request: { method, params: { ...params, uri: entry.own } } };
};

const byReference: Find = async ({ method, params }, catalogue) => {
  const ref = Object(params?.['ref']) as Raw;
  const isPrompt = ref['type'] === 'ref/prompt';
  const key = String(isPrompt ? ref['name'] : ref['uri']);
  const entry = isPrompt
    ? await catalogue.find('prompts', key)
    : ((await catalogue.find('resourceTemplates', key)) ?? (await findResource(catalogue, key)));
  if (entry === undefined) return refuse(`Unknown ${isPrompt ? 'prompt' : 'resource template'}: ${key}`);
  const own = { ...ref, [isPrompt ? 'name' : 'uri']: entry.own };
  return { provider: entry.provider, request: { method, params: { ...params, ref: own } } };
};

const ways: Readonly<Record<string, Find>> = {
  'tools/call': byName('tools', 'tool'),
  'prompts/get': byName('prompts', 'prompt'),
  'resources/read': byUri,
  'resources/subscribe': byUri,
  'resources/unsubscribe': byUri,
  'completion/complete': byReference,
};

/** Finds whom a request is for by what it names; undefined for a method that names nothing. */
export async function findProvider(request: RpcRequest, catalogue: Catalogue): Promise<Found | Refused | undefined> {
  return ways[request.method]?.(request, catalogue);
}

/** One that is listed, or one of a template: the one whose text before its first variable is the longest. */
async function findResource(catalogue: Catalogue, uri: string): Promise<Entry | undefined> {
  const listed = await catalogue.find('resources', uri);
  if (listed !== undefined) return listed;
  const templates = await catalogue.list('resourceTemplates');
  const fitting = templates
    .map((entry) => ({ entry, start: String(entry.shown['uriTemplate']).split('{', 1)[0] ?? '' }))
    .filter(({ start }) => uri.startsWith(start))
    .sort((a, b) => b.start.length - a.start.length)
    .map(({ entry, start }) => ({ ...entry, own: toOwn(entry, start, uri) }));
  return fitting[0];
}

/** Takes off what was put in front of the template of a server whose own was taken. */
function toOwn({ own, shown }: Entry, start: string, uri: string): string {
  const added = String(shown['uriTemplate']).length - own.length;
  return start.length >= added ? uri.slice(added) : uri;
}

const refuse = (message: string, data?: Raw): Refused => ({
  error: { code: ProtocolErrorCode.InvalidParams, message, ...(data !== undefined && { data }) },
});

import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Item, ListKind, Provider } from '../messages/provider.ts';
import type { Raw, RpcAnswer, RpcRequest } from '../messages/rpc.ts';
import type { Catalogue, Entry } from './catalogue.ts';

/** Whose request it is, and what it is called there. */
export interface Found {
  readonly provider: Provider;
  readonly request: RpcRequest;
  /** What is listed of the tool that is called. */
  readonly tool?: Item;
}

type Refused = Extract<RpcAnswer, { readonly error: unknown }>;

type Find = (request: RpcRequest, catalogue: Catalogue, signal: AbortSignal) => Promise<Found | Refused>;

const byName =
  (kind: ListKind, what: string): Find =>
  async ({ method, params }, catalogue, signal) => {
    const name = params?.['name'];
    if (typeof name !== 'string') return refuse(`Unknown ${what}: ${String(name)}`);
    const { entry, why } = await findOrWait(() => catalogue.find(kind, name), [kind], name, { catalogue, signal });
    if (entry === undefined) return refuse(`Unknown ${what}: ${name}${why}`);
    const tool = kind === 'tools' ? { tool: entry.shown } : {};
    return { provider: entry.provider, request: { method, params: { ...params, name: entry.own } }, ...tool };
  };

const byUri: Find = async ({ method, params }, catalogue, signal) => {
  const uri = params?.['uri'];
  if (typeof uri !== 'string') return refuse(`Resource not found: ${String(uri)}`, { uri });
  const kinds = ['resources', 'resourceTemplates'] as const;
  const { entry, why } = await findOrWait(() => findResource(catalogue, uri), kinds, uri, { catalogue, signal });
  if (entry === undefined) return refuse(`Resource not found: ${uri}${why}`, { uri });
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
export async function findProvider(
  request: RpcRequest,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<Found | Refused | undefined> {
  return ways[request.method]?.(request, catalogue, signal);
}

/** Looks once more when servers that may have it have listed it; `why` tells which of them have not, and the reason. */
async function findOrWait(
  find: () => Promise<Entry | undefined>,
  kinds: readonly ListKind[],
  key: string,
  { catalogue, signal }: { readonly catalogue: Catalogue; readonly signal: AbortSignal },
): Promise<{ readonly entry: Entry | undefined; readonly why: string }> {
  const entry = await find();
  if (entry !== undefined) return { entry, why: '' };
  const settled = await Promise.all(kinds.map((kind) => catalogue.settle(kind, key, signal)));
  const problems = new Set(settled.flatMap(({ problems: some }) => some));
  return {
    entry: settled.some(({ isChanged }) => isChanged) ? await find() : undefined,
    why: problems.size === 0 ? '' : ` (${[...problems].join('; ')})`,
  };
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

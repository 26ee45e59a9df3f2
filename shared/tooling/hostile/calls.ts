import type { Operation } from '@contextloom/mcp-kit';
import { type RestRequest, toRequest } from '@contextloom/mcp-kit/testing';
import fc from 'fast-check';
import { hostileFilter, hostileId, type Names } from './values.ts';

/** What is attacked, as data. */
export interface HostileCallsOptions<Deps> extends Names {
  readonly operations: readonly Operation<Deps>[];
  /** Ids of what is somebody else's: of memories, entries, events, documents. */
  readonly ids: readonly unknown[];
  /** Words that would find what is somebody else's. */
  readonly words: readonly string[];
  /** Addresses of resources that name somebody else, or something of theirs. */
  readonly uris: (name: string) => readonly string[];
}

/** One attempt: a request over REST, or a message of JSON-RPC. */
export type HostileCall = { readonly kind: 'rest'; readonly request: RestRequest } | HostileMessage;

/** A message of JSON-RPC as text, since a key may stand twice in it. */
export interface HostileMessage {
  readonly kind: 'mcp';
  readonly text: string;
}

const OWNER_FIELDS = [
  'user_id',
  'project_key',
  'project_name',
  'project_path',
  'metadata',
  'metadata_filter',
  'owner_id',
];

/** JSON of an object in which some keys stand twice. */
function toDoubledJson(args: object, again: object): string {
  const inner = (value: object): string => JSON.stringify(value).slice(1, -1);
  return `{${[inner(args), inner(again)].filter((text) => text !== '').join(',')}}`;
}

const toMessage = (method: string, params: string): HostileMessage => ({
  kind: 'mcp',
  text: `{"jsonrpc":"2.0","id":7,"method":${JSON.stringify(method)},"params":${params}}`,
});

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Every operation over MCP and REST, and every address, with ids that are not the caller's wherever one can be written. */
export function hostileCalls<Deps>(options: HostileCallsOptions<Deps>): fc.Arbitrary<HostileCall> {
  const { operations, ids, words, uris, ...names } = options;
  const id = hostileId(names);
  const value = fc.oneof(id, fc.constantFrom(...ids), hostileFilter(names), fc.constantFrom<unknown>(...words));
  const args = fc.constantFrom(...operations).chain((operation) => {
    const { input, example } = operation;
    const fields = [...new Set([...Object.keys(input.shape), ...OWNER_FIELDS])];
    return fc
      .record({ put: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 }), again: fc.option(id) })
      .map(({ put, again }) => ({ operation, args: { ...Object(example?.input), ...put } as object, again }));
  });
  const tool = args.map(({ operation, args: given, again }) => {
    const text = toDoubledJson(given, again === null ? {} : { user_id: again, project_key: again });
    return toMessage('tools/call', `{"name":${JSON.stringify(operation.name)},"arguments":${text}}`);
  });
  const rest = fc.tuple(args, fc.boolean()).map(([{ operation, args: given }, isEncodedTwice]): HostileCall => {
    const request = toRequest(operation, given as Readonly<Record<string, unknown>>);
    if (request === undefined) return toMessage('tools/list', '{}');
    const path = isEncodedTwice ? request.path.replaceAll('%', '%25') : request.path;
    return { kind: 'rest', request: { ...request, path } };
  });
  const resource = fc.tuple(id, fc.constantFrom('resources/read', 'resources/subscribe')).chain(([spelt, method]) => {
    const addresses = [...uris(asText(spelt)), ...uris(encodeURIComponent(asText(spelt)))];
    return fc.constantFrom(...addresses).map((uri) => toMessage(method, JSON.stringify({ uri })));
  });
  const hasAddresses = uris('x').length > 0;
  return fc.oneof({ weight: 5, arbitrary: tool }, { weight: 4, arbitrary: rest }, ...(hasAddresses ? [resource] : []));
}

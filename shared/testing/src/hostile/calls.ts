import { PRINCIPAL_KEY } from '@contextloom/access';
import type { Operation } from '@contextloom/server-kit';
import { type RestRequest, toRequest } from '@contextloom/testing';
import fc from 'fast-check';
import { forgedPrincipals, hostileFilter, hostileId, type Names } from './values.ts';

/** What is attacked, as data. */
export interface HostileCallsOptions<Deps> extends Names {
  readonly operations: readonly Operation<Deps>[];
  /** Ids of what is somebody else's: of memories, entries, events, documents. */
  readonly ids: readonly unknown[];
  /** Words that would find what is somebody else's. */
  readonly words: readonly string[];
  /** Addresses of resources that name somebody else, or something of theirs. */
  readonly uris: (name: string) => readonly string[];
  /** Tools that are offered besides the operations. */
  readonly tools?: readonly HostileTool[];
  /** Other messages that name somebody, such as prompts and completions. */
  readonly messages?: (name: string) => readonly { readonly method: string; readonly params: object }[];
}

/** A tool as it is attacked: its parameters, and arguments that it takes. */
export interface HostileTool {
  readonly name: string;
  readonly fields: readonly string[];
  readonly args: object;
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
  const { operations, ids, words, uris, tools = [], messages = () => [], ...names } = options;
  const id = hostileId(names);
  const value = fc.oneof(id, fc.constantFrom(...ids), hostileFilter(names), fc.constantFrom<unknown>(...words));
  const put = (called: HostileTool) => {
    const fields = [...new Set([...called.fields, ...OWNER_FIELDS])];
    const changed = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 });
    return changed.map((changes) => ({ ...called.args, ...changes }) as Readonly<Record<string, unknown>>);
  };
  const forged = fc.option(fc.constantFrom(...forgedPrincipals(names)), { freq: 1 });
  const tool = fc.constantFrom(...operations.map(toTool), ...tools).chain((called) =>
    fc.tuple(put(called), fc.option(id), forged).map(([args, again, principal]) => {
      const text = toDoubledJson(args, again === null ? {} : { user_id: again, project_key: again });
      const meta = principal === null ? '' : `,"_meta":${JSON.stringify({ [PRINCIPAL_KEY]: principal })}`;
      return toMessage('tools/call', `{"name":${JSON.stringify(called.name)},"arguments":${text}${meta}}`);
    }),
  );
  const routed = operations.filter(({ route }) => route !== undefined);
  const rest = () =>
    fc.constantFrom(...routed).chain((operation) =>
      fc.tuple(put(toTool(operation)), fc.boolean()).map(([args, isEncodedTwice]): HostileCall => {
        const request = toRequest(operation, args);
        if (request === undefined) return toMessage('tools/list', '{}');
        const path = isEncodedTwice ? request.path.replaceAll('%', '%25') : request.path;
        return { kind: 'rest', request: { ...request, path } };
      }),
    );
  const resource = fc.tuple(id, fc.constantFrom('resources/read', 'resources/subscribe')).chain(([spelt, method]) => {
    const addresses = [...uris(asText(spelt)), ...uris(encodeURIComponent(asText(spelt)))];
    return fc.constantFrom(...addresses).map((uri) => toMessage(method, JSON.stringify({ uri })));
  });
  const message = id.chain((spelt) =>
    fc.constantFrom(...messages(asText(spelt))).map(({ method, params }) => toMessage(method, JSON.stringify(params))),
  );
  return fc.oneof(
    { weight: 5, arbitrary: tool },
    ...(routed.length > 0 ? [{ weight: 4, arbitrary: rest() }] : []),
    ...(uris('x').length > 0 ? [resource] : []),
    ...(messages('x').length > 0 ? [message] : []),
  );
}

const toTool = <Deps>({ name, input, example }: Operation<Deps>): HostileTool => ({
  name,
  fields: Object.keys(input.shape),
  args: Object(example?.input),
});

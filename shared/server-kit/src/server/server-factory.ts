import { auditOf, codeOf, localPrincipal, type Principal, principalOf, requireScope } from '@contextloom/access';
import { type Log, traceServer } from '@contextloom/runtime';
import {
  type AuthInfo,
  type McpRequestContext,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { type BoundParameters, bindOperations, bindPrompts, bindResources } from '../operation/bind-parameters.ts';
import { toAnnotations } from '../operation/effect.ts';
import type { Operation } from '../operation/operation.ts';
import type { MaskCall } from '../privacy/mask-call.ts';
import { type Changes, isServed, toEventBus } from '../resources/changes.ts';
import type { Resource } from '../resources/resource.ts';
import { type PromptDefinition, servePrompts } from '../tool/prompt.ts';
import type { Tool } from '../tool/tool.ts';
import { toCaller, toToolCall } from '../tool/tool-call.ts';
import { toErrorResult } from '../tool/tool-errors.ts';
import type { ListenRequest, Subscription } from './listening.ts';
import { serveResources } from './serve-resources.ts';
import { advertise, boundBy, promptsFor, resourcesFor } from './view.ts';

/** An operation as an MCP tool: its answer is checked, and sent as text and as data. */
function toTool<Deps>(operation: Operation<Deps>): Tool<Deps> {
  const { name, title, description, input, output, effect, hints, toText, requires, subject, bound } = operation;
  return {
    name,
    title,
    description,
    input,
    output,
    requires,
    subject,
    bound,
    annotations: toAnnotations(effect, hints),
    invoke: async (args, deps, call) => {
      const answer = output.parse(await operation.call(args, { ...call, deps }));
      return { text: toText === undefined ? JSON.stringify(answer, null, 2) : toText(answer), structured: answer };
    },
  };
}

export type { McpServerFactory } from '@modelcontextprotocol/server';

/** A server as data. */
export interface ServerDefinition<Deps> {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly operations?: readonly Operation<Deps>[];
  readonly prompts?: readonly PromptDefinition<Deps>[];
  readonly resources?: readonly Resource<Deps>[];
  /** With it clients may subscribe to resources. */
  readonly changes?: Changes;
  /** Fixed for operations, prompts and resources alike, such as `{user_id: 'ann'}`; see {@link bindOperations}. */
  readonly bound?: BoundParameters;
  /** Whether a caller is shown an operation that it may call; every one without it. */
  readonly isListed?: (operation: string, principal: Principal) => boolean;
  readonly deps: Deps;
  readonly log: Log;
}

/** Builds a protocol server for each connection, and knows where an HTTP endpoint learns of changes. */
export type ServerFactory = McpServerFactory & {
  readonly bus?: ServerEventBus;
  /** Whether a principal may be notified of changes of a resource. */
  readonly mayWatch?: (principal: Principal, uri: string) => boolean;
  /** Has changes reported to one client of 2026-07-28, where another server has to be asked for them. @throws ContextloomError for a wrong request */
  readonly listen?: (request: ListenRequest) => Promise<Subscription>;
  /** Why the headers of a call of 2026-07-28 contradict what it says, where headers repeat values of it. */
  readonly findMismatch?: (request: HeadedRequest) => Promise<string | undefined>;
};

/** A call of a tool over HTTP with its headers. */
export interface HeadedRequest {
  readonly headers: Headers;
  readonly params: Readonly<Record<string, unknown>>;
  readonly authInfo: AuthInfo | undefined;
}

/** What a server has to offer, bound to its fixed parameters. */
interface Offer<Deps> extends Pick<ServerDefinition<Deps>, 'deps' | 'log'> {
  readonly tools: readonly Tool<Deps>[];
  readonly prompts: readonly PromptDefinition<Deps>[];
  readonly resources: readonly Resource<Deps>[];
  readonly bound: BoundParameters;
}

/** Builds the factory that the transports call: a fresh protocol server for each connection, all over the same `deps`. */
export function createMcpServer<Deps>(definition: ServerDefinition<Deps>): ServerFactory {
  const { changes } = definition;
  const offer = toOffer(definition);
  requireBoundNames(definition);
  const toAdvertised = memoizeByShape(offer.tools, definition.isListed);
  const bus = changes && toEventBus(changes, offer.resources);
  const create: McpServerFactory = (context) => {
    const server = new Server(
      { name: definition.name, version: definition.version },
      {
        capabilities: {
          tools: {},
          ...(offer.prompts.length > 0 && { prompts: {} }),
          ...(offer.resources.length > 0 && {
            resources: bus === undefined ? {} : { subscribe: true, listChanged: true },
          }),
        },
        ...(definition.instructions !== undefined && { instructions: definition.instructions }),
      },
    );
    serveFor(server, { offer, toAdvertised, bus }, context);
    return server;
  };
  const mayWatch = (principal: Principal, uri: string): boolean =>
    isServed(resourcesFor(offer.resources, principal, offer.deps), uri);
  return bus === undefined ? create : Object.assign(create, { bus, mayWatch });
}

interface Served<Deps> {
  readonly offer: Offer<Deps>;
  readonly toAdvertised: (principal: Principal) => ReturnType<typeof advertise>[];
  readonly bus: ServerEventBus | undefined;
}

/** A connection of a server that masks what it is given to store. */
interface MaskingContext extends McpRequestContext {
  readonly mask?: MaskCall | undefined;
}

/** A factory whose servers mask what they are given to store; the same one without a mask. */
export function withMask(factory: ServerFactory, mask: MaskCall | undefined): ServerFactory {
  if (mask === undefined) return factory;
  const create: McpServerFactory = (context) => factory({ ...context, ...{ mask } });
  return Object.assign(create, factory);
}

/** Answers a connection as its principal may see and call. */
function serveFor<Deps>(server: Server, { offer, toAdvertised, bus }: Served<Deps>, context: MaskingContext): void {
  const { deps, log } = offer;
  const principal = principalOf(context.authInfo) ?? localPrincipal;
  // Clients of 2026-07-28 are asked by an answer, and not in the middle of a call.
  // A client in this process shakes no hands: it answers whether there is one.
  const hasModel = (): boolean => {
    const can = server.getClientCapabilities();
    return context.era === 'legacy' && (can === undefined || can.sampling !== undefined);
  };
  server.setRequestHandler('tools/list', (_list, request) => ({ tools: toAdvertised(toCaller(request, principal)) }));
  server.setRequestHandler('tools/call', ({ method, params }, request) => {
    // The SDK takes `_meta` out of the params that it hands on.
    const traced = { method, params: { ...params, _meta: request.mcpReq._meta } };
    return traceServer(
      traced,
      () => callTool(offer, params, { request, principal, mask: context.mask, hasModel: hasModel() }),
      toToolFailure,
    );
  });
  if (offer.prompts.length > 0) {
    servePrompts(server, { promptsFor: (caller) => promptsFor(offer.prompts, caller), principal, deps, log });
  }
  if (offer.resources.length > 0) {
    const served = {
      resourcesFor: (caller: Principal) => resourcesFor(offer.resources, caller, deps),
      boundFor: (caller: Principal) => ({ ...offer.bound, ...boundBy(caller) }),
    };
    serveResources(server, { ...served, principal, changes: bus, deps, log }, context);
  }
}

function toOffer<Deps>(definition: ServerDefinition<Deps>): Offer<Deps> {
  const { bound = {}, deps, log, operations = [], prompts = [], resources = [] } = definition;
  return {
    tools: bindOperations(operations, bound).map(toTool),
    prompts: bindPrompts(prompts, bound),
    resources: bindResources(resources, bound),
    bound,
    deps,
    log,
  };
}

/** The advertised tools depend on what a principal may call and is shown, and on whether it reaches one user only. */
function memoizeByShape<Deps>(
  tools: readonly Tool<Deps>[],
  isListed: ServerDefinition<Deps>['isListed'] = () => true,
): Served<Deps>['toAdvertised'] {
  const known = new Map<string, ReturnType<typeof advertise>[]>();
  return (principal) => {
    const shown = tools.filter((tool) => principal.scopes.includes(tool.requires) && isListed(tool.name, principal));
    const shape = JSON.stringify([shown.map(({ name }) => name), Object.keys(boundBy(principal))]);
    const before = known.get(shape);
    if (before !== undefined) return before;
    const advertised = shown.map((tool) => advertise(tool, principal));
    known.set(shape, advertised);
    return advertised;
  };
}

/** A misspelt name would bind nothing, and leave a server open that was meant for one user. */
function requireBoundNames<Deps>(definition: ServerDefinition<Deps>): void {
  const { bound = {}, operations = [], prompts = [], resources = [] } = definition;
  const names = new Set([
    ...operations.flatMap(({ input }) => Object.keys(input.shape)),
    ...prompts.flatMap((prompt) => prompt.arguments.map(({ name }) => name)),
    ...resources.flatMap(({ variables }) => Object.keys(variables.shape)),
  ]);
  const unknown = Object.keys(bound).find((name) => !names.has(name));
  if (unknown !== undefined) throw new Error(`no tool, prompt or resource has a parameter ${unknown} to bind`);
}

const toToolFailure = (result: object): string | undefined =>
  'isError' in result && result.isError === true ? 'tool_error' : undefined;

interface Caller {
  readonly request: ServerContext;
  readonly principal: Principal;
  readonly mask: MaskCall | undefined;
  readonly hasModel: boolean;
}

async function callTool<Deps>(
  { tools, deps, log }: Offer<Deps>,
  { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  { request, principal, mask, hasModel }: Caller,
) {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  const entry = createAuditEntry(request, principal, name);
  try {
    const call = { ...toToolCall(request, { log, principal, hasModel }), noteSubjects: entry.noteSubjects, mask };
    entry.notePrincipal(call.principal);
    requireScope(call.principal, tool.requires, name);
    const { text, structured } = await tool.invoke(args, deps, call);
    entry.write('ok');
    return { content: [{ type: 'text' as const, text }], structuredContent: { ...structured } };
  } catch (error) {
    entry.write(codeOf(error));
    return toErrorResult(error, name, log);
  }
}

/** What the audit log is to say of a call, as it becomes known. */
function createAuditEntry({ http }: ServerContext, caller: Principal, operation: string) {
  let principal = caller;
  let subjects: readonly string[] = [];
  return {
    notePrincipal: (narrowed: Principal): void => {
      principal = narrowed;
    },
    noteSubjects: (ids: readonly string[]): void => {
      subjects = ids;
    },
    write: (outcome: string): void => auditOf(http?.authInfo)?.write({ principal, operation, subjects, outcome }),
  };
}

import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { type BoundParameters, bindParameters, bindPrompts, bindResources } from './bind-parameters.ts';
import type { Log } from './log.ts';
import { type PromptDefinition, servePrompts } from './prompt.ts';
import { type Changes, toEventBus } from './resources/changes.ts';
import type { Resource } from './resources/resource.ts';
import { serveResources } from './resources/serve-resources.ts';
import type { Tool } from './tool.ts';
import { toToolCall } from './tool-call.ts';
import { toErrorResult } from './tool-errors.ts';
import { toToolSchema } from './tool-schema.ts';

export type { McpServerFactory } from '@modelcontextprotocol/server';

/** A server as data. */
export interface ServerDefinition<Deps> {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool<Deps>[];
  readonly prompts?: readonly PromptDefinition<Deps>[];
  readonly resources?: readonly Resource<Deps>[];
  /** With it clients may subscribe to resources. */
  readonly changes?: Changes;
  /** Fixed for tools, prompts and resources alike, such as `{user_id: 'ann'}`; see {@link bindParameters}. */
  readonly bound?: BoundParameters;
  readonly deps: Deps;
  readonly log: Log;
}

/** Builds a protocol server for each connection, and knows where an HTTP endpoint hears of changes. */
export type ServerFactory = McpServerFactory & { readonly bus?: ServerEventBus };

/** Builds the factory that the transports call: a fresh protocol server for each connection, all over the same `deps`. */
export function createMcpServer<Deps>(definition: ServerDefinition<Deps>): ServerFactory {
  const { bound = {}, changes, deps, log } = definition;
  const tools = bindParameters(definition.tools, bound);
  const prompts = bindPrompts(definition.prompts ?? [], bound);
  const resources = bindResources(definition.resources ?? [], bound);
  requireBoundNames(definition);
  const advertised = tools.map(advertise);
  const bus = changes && toEventBus(changes, resources);
  const create: McpServerFactory = (context) => {
    const server = new Server(
      { name: definition.name, version: definition.version },
      {
        capabilities: {
          tools: {},
          ...(prompts.length > 0 && { prompts: {} }),
          ...(resources.length > 0 && { resources: bus === undefined ? {} : { subscribe: true, listChanged: true } }),
        },
        ...(definition.instructions !== undefined && { instructions: definition.instructions }),
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: advertised }));
    server.setRequestHandler('tools/call', ({ params }, request) =>
      callTool({ tools, deps, log }, params.name, params.arguments, request),
    );
    if (prompts.length > 0) servePrompts(server, { prompts, deps, log });
    if (resources.length > 0) serveResources(server, { resources, bound, changes: bus, deps, log }, context);
    return server;
  };
  return bus === undefined ? create : Object.assign(create, { bus });
}

/** A misspelt name would bind nothing, and leave a server open that was meant for one user. */
function requireBoundNames<Deps>({ bound = {}, tools, prompts = [], resources = [] }: ServerDefinition<Deps>): void {
  const names = new Set([
    ...tools.flatMap(({ input }) => Object.keys(input.shape)),
    ...prompts.flatMap((prompt) => prompt.arguments.map(({ name }) => name)),
    ...resources.flatMap(({ variables }) => Object.keys(variables.shape)),
  ]);
  const unknown = Object.keys(bound).find((name) => !names.has(name));
  if (unknown !== undefined) throw new Error(`no tool, prompt or resource has a parameter ${unknown} to bind`);
}

function advertise<Deps>(tool: Tool<Deps>) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toToolSchema(tool.input, 'input'),
    outputSchema: toToolSchema(tool.output, 'output'),
    annotations: { title: tool.title, ...tool.annotations },
  };
}

async function callTool<Deps>(
  { tools, deps, log }: Pick<ServerDefinition<Deps>, 'tools' | 'deps' | 'log'>,
  name: string,
  args: unknown,
  request: ServerContext,
) {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  try {
    const { text, structured } = await tool.invoke(args, deps, toToolCall(request, log));
    return { content: [{ type: 'text' as const, text }], structuredContent: { ...structured } };
  } catch (error) {
    return toErrorResult(error, name, log);
  }
}

import { ContextloomError } from '@contextloom/contracts';
import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Log } from './log.ts';
import type { Tool, ToolCall } from './tool.ts';
import { toToolFailure } from './tool-errors.ts';
import { toToolSchema } from './tool-schema.ts';

export type { McpServerFactory } from '@modelcontextprotocol/server';

/** A prompt as data: what clients see, and the function that writes it. */
export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly render: (args: Readonly<Record<string, string>>) => string | Promise<string>;
}

/** A server as data. */
export interface ServerDefinition<Deps> {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool<Deps>[];
  readonly prompts?: readonly PromptDefinition[];
  readonly deps: Deps;
  readonly log: Log;
}

/** Builds the factory that the transports call: a fresh protocol server for each connection, all over the same `deps`. */
export function createMcpServer<Deps>(definition: ServerDefinition<Deps>): McpServerFactory {
  const prompts = definition.prompts ?? [];
  const advertised = definition.tools.map(advertise);
  return () => {
    const server = new Server(
      { name: definition.name, version: definition.version },
      {
        capabilities: { tools: {}, ...(prompts.length > 0 && { prompts: {} }) },
        ...(definition.instructions !== undefined && { instructions: definition.instructions }),
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: advertised }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      callTool(definition, params.name, params.arguments, context),
    );
    if (prompts.length > 0) servePrompts(server, prompts, definition.log);
    return server;
  };
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

async function callTool<Deps>(definition: ServerDefinition<Deps>, name: string, args: unknown, context: ServerContext) {
  const tool = definition.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  try {
    const { text, structured } = await tool.invoke(args, definition.deps, toToolCall(context, definition.log));
    return { content: [{ type: 'text' as const, text }], structuredContent: { ...structured } };
  } catch (error) {
    const failure = toToolFailure(error, name, definition.log);
    return { content: [{ type: 'text' as const, text: failure.text }], isError: true };
  }
}

function toToolCall({ mcpReq }: ServerContext, log: Log): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    reportProgress: (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      mcpReq.notify({ method: 'notifications/progress', params }).catch((cause: unknown) => {
        log.debug({ cause }, 'progress could not be sent');
      });
    },
  };
}

function servePrompts(server: Server, prompts: readonly PromptDefinition[], log: Log): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ render: _render, arguments: args, ...shown }) => ({ ...shown, arguments: [...args] })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = prompts.find((candidate) => candidate.name === params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
    const missing = prompt.arguments.find(({ name, required }) => required && params.arguments?.[name] === undefined);
    if (missing !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required`);
    try {
      const text = await prompt.render(params.arguments ?? {});
      return {
        description: prompt.description,
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
      };
    } catch (error) {
      const code =
        error instanceof ContextloomError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
      throw new ProtocolError(code, toToolFailure(error, params.name, log).text);
    }
  });
}

import type { Principal } from '@contextloom/access';
import type { Log } from '@contextloom/runtime';
import type { Server } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ToolCall } from './tool.ts';
import { toCaller, toToolCall } from './tool-call.ts';
import { toProtocolError } from './tool-errors.ts';

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A prompt as data: what clients see, and the function that writes it. */
export interface PromptDefinition<Deps = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** A text is one message of the user. */
  readonly render: (
    args: Readonly<Record<string, string>>,
    deps: Deps,
    call: ToolCall,
  ) => PromptText | Promise<PromptText>;
}

type PromptText = string | readonly PromptMessage[];

/** What prompts are served from. */
export interface ServedPrompts<Deps> {
  readonly promptsFor: (principal: Principal) => readonly PromptDefinition<Deps>[];
  readonly principal: Principal;
  readonly deps: Deps;
  readonly log: Log;
}

/** Answers a server's prompt requests. */
export function servePrompts<Deps>(server: Server, { promptsFor, principal, deps, log }: ServedPrompts<Deps>): void {
  server.setRequestHandler('prompts/list', (_list, request) => ({
    prompts: promptsFor(toCaller(request, principal)).map(({ render: _render, arguments: args, ...shown }) => ({
      ...shown,
      arguments: [...args],
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }, request) => {
    const call = toToolCall(request, { log, principal, hasModel: false });
    const prompt = promptsFor(call.principal).find((candidate) => candidate.name === params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
    const missing = prompt.arguments.find(({ name, required }) => required && params.arguments?.[name] === undefined);
    if (missing !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required`);
    try {
      const text = await prompt.render(params.arguments ?? {}, deps, call);
      return { description: prompt.description, messages: toMessages(text) };
    } catch (error) {
      throw toProtocolError(error, params.name, log);
    }
  });
}

function toMessages(text: PromptText) {
  const messages = typeof text === 'string' ? [{ role: 'user' as const, text }] : text;
  return messages.map(({ role, text: words }) => ({ role, content: { type: 'text' as const, text: words } }));
}

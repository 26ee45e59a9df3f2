import { FAILURE_KEY } from '@contextloom/contracts';
import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/client';

/** The params or the result of a message, as they came: nothing in them is parsed on the way. */
export type Raw = Readonly<Record<string, unknown>>;

/** A request without its id, which each side gives itself. */
export interface RpcRequest {
  readonly method: string;
  readonly params?: Raw | undefined;
}

/** A message that nobody answers. */
export type RpcNotification = RpcRequest;

/** An error as the other side wrote it. */
export type RpcError = JSONRPCErrorResponse['error'];

/** What a request came to. */
export type RpcAnswer = { readonly result: Raw } | { readonly error: RpcError };

/** Where requests and notifications of a server go: to the client whose call caused them. */
export interface Origin {
  readonly notify: (notification: RpcNotification) => void;
  /** Asks the client, such as for a sampling; `onProgress` gets the params of what it says on the way. */
  readonly ask: (request: RpcRequest, options: AskOptions) => Promise<RpcAnswer>;
}

/** Who may stop a question, and who hears how far it is. */
export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((params: Raw) => void) | undefined;
}

/** The key of `_meta` under which a request asks for progress. Source: MCP 2025-11-25, progress. */
const PROGRESS_TOKEN = 'progressToken';

/** The `_meta` of a message; empty without one. */
export function metaOf(params: Raw | undefined): Raw {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? (meta as Raw) : {};
}

/** The token by which a request asks for progress. */
export function progressTokenOf(params: Raw | undefined): string | number | undefined {
  const token = metaOf(params)[PROGRESS_TOKEN];
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** What a request failed with: the code of a failure as first-party servers tell it, where they do; undefined for an answer. */
export function failureOf(answer: RpcAnswer): string | undefined {
  if ('error' in answer) return `rpc_error ${answer.error.code}`;
  if (answer.result['isError'] !== true) return undefined;
  const { code } = Object(metaOf(answer.result)[FAILURE_KEY]) as Raw;
  return typeof code === 'string' ? code : 'tool_error';
}

/** The same params with these entries of `_meta`; undefined takes one out. */
export function withMeta(params: Raw | undefined, entries: Raw): Raw | undefined {
  const merged = Object.entries({ ...metaOf(params), ...entries }).filter(([, value]) => value !== undefined);
  const { _meta, ...rest } = params ?? {};
  if (merged.length > 0) return { ...rest, _meta: Object.fromEntries(merged) };
  return _meta === undefined ? params : rest;
}

/** A message on its way into a transport, whose types know the protocol's own methods alone. */
export const toMessage = (message: object): JSONRPCMessage => ({ jsonrpc: '2.0', ...message }) as JSONRPCMessage;

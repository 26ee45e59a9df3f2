import type { ContextloomError } from '@contextloom/contracts';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The JSON-RPC answer to a message that no protocol server gets to see; `id` is null where it could not be read. */
export function toRpcError({ code, message }: ContextloomError, id: string | number | null = null) {
  const rpcCode = code === 'malformed' ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
  return { jsonrpc: '2.0' as const, id, error: { code: rpcCode, message } };
}

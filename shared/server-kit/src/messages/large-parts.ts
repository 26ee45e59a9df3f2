import { resultTextOf } from '@contextloom/runtime';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** An answer whose result is written as the text that it was read from; undefined for any other message. */
export function toLargeParts(message: JSONRPCMessage): readonly [string, Buffer, string] | undefined {
  const text = 'result' in message ? resultTextOf(message.result) : undefined;
  if (text === undefined || !('result' in message)) return undefined;
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`, text, '}'];
}

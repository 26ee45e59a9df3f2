import { type ContextloomError, FAILURE_KEY, toReportedFailure } from '@contextloom/contracts';
import type { ProcessLike } from '@contextloom/runtime';
import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** How long a client may take to begin its handshake, in milliseconds; one that starts a server itself does so at once. */
const PATIENCE_MS = 1_000;

/**
 * Tells the client that started this server over stdio why it cannot serve, in answer to its first request: all that it would
 * learn otherwise is that the process has ended.
 */
export async function refuseHandshake(error: ContextloomError, { stdin }: Pick<ProcessLike, 'stdin'>): Promise<void> {
  const transport = new StdioServerTransport();
  const failure = toReportedFailure(error);
  const answered = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    stdin.once('end', resolve);
    transport.onmessage = (message: JSONRPCMessage) => {
      if (!('method' in message && 'id' in message)) return;
      clearTimeout(timer);
      const { message: text } = failure;
      const payload = { code: ProtocolErrorCode.InternalError, message: text, data: { [FAILURE_KEY]: failure } };
      transport.send({ jsonrpc: '2.0', id: message.id, error: payload }).then(resolve, resolve);
    };
  });
  await transport.start();
  await answered;
  await transport.close();
}

import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { toLargeParts } from '../messages/large-parts.ts';

/** How long an answer may take to be plain JSON, in milliseconds: one that takes longer begins as a stream, so that nobody gives it up. */
export const PATIENCE_MS = 1_000;
/** How often a stream without events shows that it lives, in milliseconds: as often as those of the SDK. */
const KEEP_ALIVE_MS = 15_000;

/** The answer to one request, written to Node's own response. */
export interface Exchange {
  /** Writes a message about the request; an answer ends it. */
  readonly write: (message: JSONRPCMessage) => void;
  /** Ends it without an answer. */
  readonly end: () => void;
}

/** The request that a message of this server answers. */
export const answeredBy = (message: JSONRPCMessage) => ('method' in message ? undefined : message.id);

/**
 * Answers with plain JSON where the answer is all there is: a client takes both (streamable HTTP transport, sending messages), and
 * one write costs a tenth of a stream. What is said before the answer, or takes a while, makes it a stream of events.
 */
export function createExchange(response: ServerResponse, sessionId: string, patienceMs: number): Exchange {
  const session = { 'mcp-session-id': sessionId };
  let alive: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, {
      ...session,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    alive = setInterval(() => response.write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
  };
  const patience = setTimeout(begin, patienceMs).unref();
  response.once('close', () => {
    clearTimeout(patience);
    clearInterval(alive);
  });
  return {
    write: (message) => {
      if (response.destroyed || response.writableEnded) return; // Its client reads no more.
      const isAnswer = answeredBy(message) !== undefined;
      if (isAnswer && !response.headersSent) {
        const parts = toLargeParts(message) ?? [JSON.stringify(message)];
        const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
        response.writeHead(200, { ...session, 'Content-Type': 'application/json', 'Content-Length': length });
        response.cork();
        for (const part of parts.slice(0, -1)) response.write(part);
        response.end(parts.at(-1));
        return;
      }
      begin();
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      if (isAnswer) response.end();
    },
    end: () => {
      begin();
      response.end();
    },
  };
}

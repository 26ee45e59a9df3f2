import { once } from 'node:events';
import { pipeline, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { MAX_LINE_BYTES } from '@contextloom/runtime';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { toLargeParts } from './large-parts.ts';
import { createOpenRequests } from './open-requests.ts';
import { toRpcError } from './rpc-error.ts';
import { createStdioLines } from './stdio-lines.ts';

/** What a transport over standard input and output is made from. */
export interface StdioTransportOptions {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Writable;
  readonly onRefused: (error: Error) => void;
  /** Called once nothing more comes in, and what came in is answered. */
  readonly onEnd: () => void;
  /** How long requests may take to be answered after the input has ended, in milliseconds. */
  readonly drainMs?: number;
}

/** Long enough for all but a model that reads a long conversation: clients that wait less end a server with a signal. */
const DRAIN_MS = 30_000;

/**
 * Makes the transport of a server over standard input and output. The SDK's own aborts what is under way when the input ends;
 * this one sees the end only when that is answered.
 */
export function createStdioTransport(options: StdioTransportOptions): Transport {
  const { stdin, stdout, onRefused, onEnd, drainMs = DRAIN_MS } = options;
  const requests = createOpenRequests();
  const lines = createStdioLines({
    onRefused: ({ error, id }) => {
      onRefused(error);
      stdout.write(`${JSON.stringify(toRpcError(error, id))}\n`);
    },
    beforeEnd: async () => {
      await setImmediate(); // The last line is still on its way to the transport.
      await requests.untilAnswered(drainMs);
    },
  });
  const wire = new StdioServerTransport(lines, stdout, { maxBufferSize: MAX_LINE_BYTES });
  const transport: Transport = {
    start: () => wire.start(),
    send: async (message) => {
      const large = toLargeParts(message);
      if (large === undefined || large[1].includes('\n')) await wire.send(message);
      else await writeLine(stdout, large);
      requests.noteSent(message);
    },
    close: () => wire.close(),
  };
  wire.onmessage = (message) => {
    requests.noteIncoming(message);
    transport.onmessage?.(message);
  };
  wire.onerror = (error) => transport.onerror?.(error);
  wire.onclose = () => {
    requests.clear(); // Nobody can be answered any more.
    transport.onclose?.();
  };
  pipeline(stdin, lines, onEnd);
  lines.once('close', onEnd);
  return transport;
}

async function writeLine(stdout: Writable, parts: readonly (string | Buffer)[]): Promise<void> {
  stdout.cork();
  for (const part of parts) stdout.write(part);
  stdout.write('\n');
  stdout.uncork();
  if (stdout.writableNeedDrain) await once(stdout, 'drain');
}

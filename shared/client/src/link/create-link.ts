import { ContextloomError } from '@contextloom/contracts/errors';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { version } from '../version.ts';
import { isSessionGone, NotConnectedError, readFailure, ToolError } from './failure.ts';
import type { Link, ToolAnswer } from './link.ts';

/** How a server is reached. */
export interface LinkOptions {
  readonly open: () => Transport;
  /** `auto` asks a server whether it is stateless, which over stdio would cost a process; `legacy` is the handshake of 2025-11-25. */
  readonly mode: 'auto' | 'legacy';
}

/** How long a server may take to start and shake hands, in milliseconds. */
const START_MS = 60_000;

/** Waits for what several callers share, no longer than this one wants to. */
async function until<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Makes the connection's keeper; nothing is opened yet. */
export function createLink({ open, mode }: LinkOptions): Link {
  let current: Promise<Client> | undefined;
  let isClosed = false;

  async function connect(): Promise<Client> {
    const client = new Client(
      { name: '@contextloom/client', version },
      { capabilities: {}, versionNegotiation: { mode } },
    );
    const opening = (async () => {
      try {
        await client.connect(open(), { timeout: START_MS });
      } catch (cause) {
        await client.close();
        throw new NotConnectedError('no connection', { cause });
      }
      return client;
    })();
    const forget = (): void => {
      if (current === opening) current = undefined;
    };
    client.onclose = forget;
    current = opening;
    opening.catch(forget);
    return opening;
  }

  return {
    call: async ({ name, args, signal, timeoutMs, onProgress }) => {
      if (isClosed) throw new ContextloomError('unavailable', 'the client was closed');
      const client = await until(current ?? connect(), signal);
      const params = { name, arguments: { ...args } };
      const options = { signal, timeout: timeoutMs, ...(onProgress !== undefined && { onprogress: onProgress }) };
      try {
        return toAnswer(await client.request({ method: 'tools/call', params }, options));
      } catch (error) {
        // The server was started again: it has no session of before.
        if (isSessionGone(error)) await client.close();
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      const closing = await current?.catch(() => undefined);
      await closing?.close();
    },
  };
}

/** @throws ToolError for the answer of a tool that failed */
function toAnswer(result: Awaited<ReturnType<Client['callTool']>>): ToolAnswer {
  const { content, isError, structuredContent, _meta } = result;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  if (isError !== true) return { text, structured: structuredContent };
  throw new ToolError(readFailure(_meta) ?? new ContextloomError('invalid', text));
}

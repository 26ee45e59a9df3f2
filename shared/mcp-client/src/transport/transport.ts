import type { Authorize } from '@contextloom/access';
import { MAX_MESSAGE_BYTES } from '@contextloom/runtime';
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { HttpServerEntry, ServerEntry, StdioServerEntry } from '../composition/config.ts';
import { toServerEnvironment } from '../composition/environment.ts';
import { type AnswerTooLargeError, createBoundedFetch } from './bounded-fetch.ts';
import { endChild } from './child-end.ts';
import type { ChildWatch } from './child-watch.ts';
import { createEmbeddedTransport, type Embed } from './embedded-transport.ts';
import { createMessageLines } from './message-lines.ts';
import { createNodePost } from './node-post.ts';
import type { OpenedTransport } from './opened-transport.ts';

/** What a transport is made from. */
export interface TransportOptions {
  readonly entry: ServerEntry;
  /** Where a child's standard error goes. */
  readonly stderr: 'inherit' | 'ignore';
  /** Ends a child that outlives this process; without it, the child has to notice that its standard input has ended. */
  readonly childWatch?: ChildWatch | undefined;
  /** Runs servers of this installation in this process; without it each gets a process of its own. */
  readonly embed?: Embed | undefined;
}

function withAuthorization(fetch: typeof globalThis.fetch, authorize: Authorize | undefined): typeof globalThis.fetch {
  if (authorize === undefined) return fetch;
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    const authorization = await authorize();
    if (authorization !== undefined && !headers.has('authorization')) headers.set('authorization', authorization);
    return fetch(url, { ...init, headers });
  };
}

/** How long a server may take to end a session, in milliseconds: a closing connection waits for it. */
const LEAVE_MS = 500;

type OnTooLarge = (error: AnswerTooLargeError) => void;

/** Makes the transport that an entry asks for; nothing is started yet. `onTooLarge` hears of an answer over HTTP that was cut. */
export function createTransport(
  { entry, stderr, childWatch, embed }: TransportOptions,
  onTooLarge: OnTooLarge,
): OpenedTransport {
  if ('url' in entry) return createHttpTransport(entry, onTooLarge);
  const serve = embed?.(entry);
  return serve === undefined ? createChildTransport(entry, { stderr, childWatch }) : createEmbeddedTransport(serve);
}

function createHttpTransport(entry: HttpServerEntry, onTooLarge: OnTooLarge): OpenedTransport {
  const url = new URL(entry.url);
  const requestInit = { headers: { ...entry.headers } };
  const authorized = { requestInit, ...(entry.authProvider !== undefined && { authProvider: entry.authProvider }) };
  const fetch = createNodePost();
  const toFetch = (onCut: OnTooLarge): typeof globalThis.fetch =>
    withAuthorization(createBoundedFetch({ onTooLarge: onCut, fetch }), entry.authorize);
  const end = async (): Promise<void> => undefined;
  if (entry.type === 'sse') {
    return { transport: new SSEClientTransport(url, { ...authorized, fetch: toFetch(onTooLarge) }), end };
  }
  const transport = new StreamableHTTPClientTransport(url, { ...authorized, fetch: toFetch(onTooLarge) });
  const forRequest = (onBroken: OnTooLarge): Transport =>
    new StreamableHTTPClientTransport(url, {
      ...authorized,
      fetch: toFetch(onBroken),
      ...(transport.sessionId !== undefined && { sessionId: transport.sessionId }),
      ...(transport.protocolVersion !== undefined && { protocolVersion: transport.protocolVersion }),
    });
  const leave = async (): Promise<void> => {
    const patience = new Promise<void>((resolve) => setTimeout(resolve, LEAVE_MS).unref());
    // A server that is gone, or knows no such request, has no session to end.
    await Promise.race([patience, transport.terminateSession().catch(() => undefined)]);
  };
  return { transport, end, leave, forRequest };
}

function createChildTransport(
  entry: StdioServerEntry,
  { stderr, childWatch }: Pick<TransportOptions, 'stderr' | 'childWatch'>,
): OpenedTransport {
  const env = toServerEnvironment(entry);
  const { command, cwd } = entry;
  const transport = new StdioClientTransport({ command, args: [...entry.args], env, cwd, stderr });
  // The SDK has no way to give it another buffer, and looks for its own class where it tries out which revision a server speaks.
  Reflect.set(transport, '_readBuffer', createMessageLines(MAX_MESSAGE_BYTES));
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  let pid: number | null = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    const started = transport.pid; // Forgotten by the transport as soon as it is closed.
    pid = started;
    if (started === null) return;
    childWatch?.add(started);
    void ended.then(() => childWatch?.remove(started));
  };
  return { transport, end: async (graceMs) => (pid === null ? undefined : endChild({ pid, ended, graceMs })) };
}

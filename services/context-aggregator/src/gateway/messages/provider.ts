import type { UpstreamResult, Wire } from '@contextloom/mcp-client';
import type { ClientCapabilities, ServerCapabilities } from '@modelcontextprotocol/client';
import type { Call } from './call.ts';
import type { Channel } from './channel.ts';
import type { Raw, RpcAnswer, RpcNotification, RpcRequest } from './rpc.ts';

/** What servers have lists of, by the field of the answer. */
export const listKinds = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

/** One of {@link listKinds}. */
export type ListKind = (typeof listKinds)[number];

/** An entry of a list as its server wrote it. */
export type Item = Raw;

/** What waiting for the first list of a server came to: `known` before, `came`, or the reason why there is none. */
export type FirstList = 'known' | 'came' | { readonly reason: string };

/** Something that offers tools, prompts and resources to one client: the aggregator's own operations, or an upstream. */
export interface Provider {
  readonly name: string;
  readonly trust: Link['trust'];
  /** What it has for a client that can do this, since it may list by that; what it had last where it does not answer in time. */
  readonly list: (kind: ListKind, can: ClientCapabilities) => Promise<readonly Item[]>;
  /** Waits for a list that never came, within the deadline of a request. */
  readonly firstList: (kind: ListKind, can: ClientCapabilities, signal: AbortSignal) => Promise<FirstList>;
  /** Answers a request; for a tool by its listed definition. */
  readonly request: (request: RpcRequest, call: Call, tool?: Item) => Promise<RpcAnswer>;
  /** Has changes of a resource reported; `shown` is its URI for clients, under which they hear of them. */
  readonly watch: (uri: string, shown: string, call: Call) => Promise<RpcAnswer>;
  readonly unwatch: (uri: string, call: Call) => Promise<RpcAnswer>;
  /** Asks for log messages from this level on, of now and after the server was started again. */
  readonly setLevel: (level: string, call: Call) => Promise<void>;
  /** Tells the server something of its client, if it is connected. */
  readonly notify: (notification: RpcNotification) => void;
}

/** All that one client sees of the providers. */
export interface Session {
  /** What is listed of a tool, for a client that can do this. */
  readonly tool: (name: string, can?: ClientCapabilities) => Promise<Item | undefined>;
  readonly handle: (request: RpcRequest, call: Call) => Promise<RpcAnswer>;
  /** Tells servers something of the client. */
  readonly notify: (notification: RpcNotification) => void;
}

/** A connection that is open. */
export interface OpenLink {
  readonly channel: Channel;
  readonly era: 'legacy' | 'modern';
  readonly revision: string;
  readonly capabilities: ServerCapabilities;
  /** Asks a server of 2026-07-28 to report changes, which come to the home of its channel. */
  readonly listen?: Wire['listen'] | undefined;
}

/** How long work on a connection may take, its opening included, and who may stop it. */
export interface LinkOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What the client of this request can do; nothing without it. */
  readonly capabilities?: ClientCapabilities | undefined;
}

/**
 * The connection of one client to one server: opened when it is first needed, kept, and opened again after it broke. This is
 * the face between what passes messages on and what keeps connections: no restart, deadline or credential is known above it.
 */
export interface Link {
  /** A first-party server gets the caller with each request, a third-party one nothing of the caller; our own operations know. */
  readonly trust: 'self' | 'first-party' | 'third-party';
  /** Whether the server can be reached at once, as far as is known: its connection is there. */
  readonly isOpen: () => boolean;
  readonly use: <T>(
    options: LinkOptions,
    work: (open: OpenLink, signal: AbortSignal) => Promise<T>,
  ) => Promise<UpstreamResult<T>>;
}

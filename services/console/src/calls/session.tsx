import type { AggregatorContract } from '@contextloom/contracts/aggregator';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { type CallError, type CallOptions, callTool, fetchSession, listTools, type Session } from './call-tool.ts';
import type { Answer, Input, ServerAnswer, ServerContract, ServerInput } from './operations.ts';

/** The server as this caller sees it. */
export interface Server {
  /** Calls an operation of the aggregator in the caller's name. @throws CallError */
  readonly call: <Name extends keyof AggregatorContract>(
    name: Name,
    args: Input<Name>,
    options?: Omit<CallOptions, 'key'>,
  ) => Promise<Answer<Name>>;
  /** The same for a server behind the aggregator, whatever name the composition gives that server. */
  readonly callServer: <Name extends keyof ServerContract>(
    name: Name,
    args: ServerInput<Name>,
    options?: Omit<CallOptions, 'key'>,
  ) => Promise<ServerAnswer<Name>>;
  /** Whether a server behind the aggregator offers an operation to this caller. */
  readonly offers: (name: keyof ServerContract) => boolean;
  readonly session: Session;
  /** Goes on as another caller: that of a key. */
  readonly signIn: (key: string) => void;
  readonly signOut: () => void;
}

const ServerContext = createContext<Server | undefined>(undefined);

/** The server; only below {@link ServerProvider}. */
export function useServer(): Server {
  const server = useContext(ServerContext);
  if (server === undefined) throw new Error('no server around this component');
  return server;
}

/** The browser drops it when the tab is closed. */
const KEY = 'contextloom.key';
const SESSION = 'session';

/** What is shown until there is a caller. */
export interface ServerProviderProps {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly renderSignIn: (signIn: (key: string) => void) => ReactNode;
  readonly renderAway: (problem: CallError, options: AwayOptions) => ReactNode;
}

/** What a reader can do where the server gives no answer to go on with. */
export interface AwayOptions {
  readonly retry: () => void;
  /** Drops the key; undefined without one. */
  readonly signOut: (() => void) | undefined;
}

/** Finds out who the caller is, and gives the server to what is below it. */
export function ServerProvider({ children, waiting, renderSignIn, renderAway }: ServerProviderProps) {
  const [key, setKey] = useState(() => sessionStorage.getItem(KEY) ?? undefined);
  const client = useQueryClient();
  const change = useCallback(
    (next: string | undefined): void => {
      if (next === undefined) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, next);
      // What one caller was answered is not for another.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
      setKey(next);
    },
    [client],
  );
  const opened = useQuery({
    queryKey: [SESSION, key],
    queryFn: async ({ signal }) => {
      const session = await fetchSession({ key, signal });
      return { session, tools: await listTools({ key, signal }) };
    },
    retry: false,
  });
  const server = useMemo<Server | undefined>(() => {
    if (opened.data === undefined) return undefined;
    const { session, tools } = opened.data;
    const find = (tool: string) => tools.find((name) => name === tool || name.endsWith(`__${tool}`));
    return {
      call: (name, args, options) => callTool(name, args, { ...options, key }),
      callServer: (name, args, options) => callTool(find(name) ?? name, args, { ...options, key }),
      offers: (name) => find(name) !== undefined,
      session,
      signIn: change,
      signOut: () => change(undefined),
    };
  }, [opened.data, key, change]);
  if (server !== undefined) return <ServerContext value={server}>{children}</ServerContext>;
  if (opened.error === null) return waiting;
  const problem = opened.error as CallError;
  const retry = (): void => void opened.refetch();
  if (problem.code !== 'unauthorized') {
    return renderAway(problem, { retry, signOut: key === undefined ? undefined : () => change(undefined) });
  }
  return renderSignIn((next) => (next === key ? retry() : change(next)));
}

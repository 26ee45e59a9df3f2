import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { type CallError, type CallOptions, callTool, fetchSession, listTools, type Session } from './call-tool.ts';

/** The server as this caller sees it. */
export interface Server {
  /** Calls a tool in the caller's name. @throws CallError */
  readonly call: <T>(name: string, args: object, options?: Omit<CallOptions, 'key'>) => Promise<T>;
  /** The tool of a server behind the aggregator, whatever name the composition gives that server; undefined where none offers it. */
  readonly findTool: (tool: string) => string | undefined;
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
  const server = useMemo<Server | undefined>(
    () =>
      opened.data && {
        call: (name, args, options) => callTool(name, args, { ...options, key }),
        findTool: (tool) => opened.data.tools.find((name) => name === tool || name.endsWith(`__${tool}`)),
        session: opened.data.session,
        signIn: change,
        signOut: () => change(undefined),
      },
    [opened.data, key, change],
  );
  if (server !== undefined) return <ServerContext value={server}>{children}</ServerContext>;
  if (opened.error === null) return waiting;
  const problem = opened.error as CallError;
  const retry = (): void => void opened.refetch();
  if (problem.code !== 'unauthorized') {
    return renderAway(problem, { retry, signOut: key === undefined ? undefined : () => change(undefined) });
  }
  return renderSignIn((next) => (next === key ? retry() : change(next)));
}

/** How far a call is. */
export interface Progress {
  readonly progress: number;
  /** What `progress` will be at the end, where that is known. */
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** How one call is made. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with its repetitions, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What every client takes. */
export interface ClientOptions {
  /** The user of calls that name none (`user_id`); a key for one user says it as well. */
  readonly user?: string | undefined;
  /** How long a call may take, in milliseconds: 60,000 by default, 600,000 to store a conversation. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is repeated that may be: 2 by default. */
  readonly retries?: number | undefined;
}

/** An aggregator at an address. */
export interface HttpOptions extends ClientOptions {
  /** Such as `http://127.0.0.1:8010`: without a path, or with `/mcp`, it stands for `/mcp/all`. */
  readonly url: string | URL;
  /** A key that `contextloom keys add` made, or a token; a function is called before each request. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** More headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** An aggregator that the client starts, and that ends with it. */
export interface StdioOptions extends ClientOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** What it gets of the environment; without it what every program needs, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Where its log goes: nowhere by default. */
  readonly stderr?: 'inherit' | 'ignore' | undefined;
}

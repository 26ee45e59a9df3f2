/** A call that failed: `code` is the product's error code, such as `forbidden` or `unauthorized`. */
export class CallError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** How the server is called. */
export interface CallOptions {
  /** The caller's key; without it the local user. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The server's address without a path; that of the page without it. */
  readonly origin?: string | undefined;
  /** Lets the call outlive the page. */
  readonly keepalive?: boolean | undefined;
}

/** The revision of MCP in which each request stands for itself. Source: modelcontextprotocol.io, 2026-07-28. */
const REVISION = '2026-07-28';
const FAILURE_KEY = 'contextloom/failure';
const MCP_PATH = '/mcp/all';

const toHeaders = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

/** Sends a request. @throws CallError `unreachable` where no server answers */
async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new CallError('unreachable', `the server does not answer: ${String(error)}`);
  }
}

async function post(method: string, params: object, { key, origin = '', ...options }: CallOptions): Promise<Response> {
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  return reach(`${origin}${MCP_PATH}`, {
    ...options,
    method: 'POST',
    credentials: 'omit',
    headers: {
      ...toHeaders(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISION,
          'io.modelcontextprotocol/clientInfo': { name: 'contextloom-console', version: '0.1.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  } as RequestInit);
}

/** The message that ends a stream is the answer; those before it tell of progress. */
const lastEvent = (stream: string): string =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .at(-1)
    ?.slice('data:'.length) ?? '';

interface Message {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message?: string; readonly data?: Record<string, unknown> };
}

function toFailure(holder: unknown, message: string): CallError {
  const failure = Object(Object(holder)[FAILURE_KEY]) as Record<string, unknown>;
  return new CallError(String(failure['code'] ?? 'invalid'), String(failure['message'] ?? message));
}

async function request(method: string, params: object, options: CallOptions): Promise<Record<string, unknown>> {
  const response = await post(method, params, options);
  const text = await response.text();
  if (response.status === 401) throw new CallError('unauthorized', 'the server asks for a key');
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const message = parseMessage(isStream ? lastEvent(text) : text, response.status);
  if (message.result !== undefined) return message.result;
  throw toFailure(message.error?.data, message.error?.message ?? `the server answers HTTP ${response.status}`);
}

function parseMessage(text: string, status: number): Message {
  try {
    return Object(JSON.parse(text)) as Message;
  } catch {
    throw new CallError('unavailable', `the server answers HTTP ${status}`);
  }
}

/**
 * Calls a tool of the aggregator or of a server behind it.
 * @returns what the tool answers as data, by the shape of its `outputSchema`
 * @throws CallError with the product's code and words
 */
export async function callTool<T>(name: string, args: object, options: CallOptions = {}): Promise<T> {
  const result = await request('tools/call', { name, arguments: args }, options);
  if (result['isError'] !== true) return result['structuredContent'] as T;
  const [block] = Array.isArray(result['content']) ? result['content'] : [];
  throw toFailure(result['_meta'], String(Object(block).text ?? 'the call failed'));
}

/** The names of all tools that this caller is offered. */
export async function listTools(options: CallOptions): Promise<readonly string[]> {
  const { tools } = await request('tools/list', {}, options);
  return (Array.isArray(tools) ? tools : []).map((tool) => String(Object(tool).name));
}

/** Who calls, and what this caller may do. */
export interface Session {
  readonly name: string;
  readonly users: 'all' | readonly string[];
  readonly projects: 'all' | readonly string[];
  readonly scopes: readonly string[];
  /** Whether the server asks for keys. */
  readonly asked: boolean;
}

/** Asks who the caller is. @throws CallError `unauthorized` where a key is missing or wrong */
export async function fetchSession({ key, signal }: CallOptions): Promise<Session> {
  const response = await reach('/session', {
    headers: toHeaders(key),
    credentials: 'omit',
    ...(signal !== undefined && { signal }),
  });
  if (response.status === 401) throw new CallError('unauthorized', 'the server asks for a key');
  if (!response.ok) throw new CallError('unavailable', `the server answers HTTP ${response.status}`);
  return response.json() as Promise<Session>;
}

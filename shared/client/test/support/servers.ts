import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import {
  createHttpApp,
  createMcpEndpoint,
  createMcpServer,
  defineOperation,
  type Listening,
  listen,
} from '@contextloom/server-kit';
import { z } from 'zod';

/** What a test hears and decides of the calls of a server. */
export interface Calls {
  /** The tools that were called, in order. */
  readonly names: string[];
  /** With what they were called. */
  readonly given: unknown[];
  /** What is remembered of each question, as a server answers that knows parts. */
  recall?: string;
  /** The tool that fails. */
  failing?: string;
  /** Waits at a gate inside of the tool "wait". */
  readonly gate: Promise<void>;
  /** Resolves when a call of "wait" was given up by its caller. */
  readonly abandoned: Promise<void>;
  readonly open: () => void;
  readonly abandon: () => void;
}

/** Makes the record of a server's calls. */
export function createCalls(): Calls {
  let open: () => void = () => undefined;
  let abandon: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  return { names: [], given: [], gate, abandoned, open: () => open(), abandon: () => abandon() };
}

const fields = {
  query: z.string().optional(),
  text: z.string().optional(),
  user_id: z.string().optional(),
  persona_name: z.string().optional(),
  user_query: z.string().optional(),
  placement: z.string().optional(),
  cursor: z.string().optional(),
  conversation: z.unknown().optional(),
  conversation_history: z.unknown().optional(),
};

const define = (name: string, effect: 'reads' | 'adds') =>
  defineOperation({
    name,
    title: name,
    description: name,
    effect,
    scope: 'none',
    input: z.object(fields),
    output: z.object({
      said: z.string(),
      prompt: z.string(),
      parts: z.array(z.object({ kind: z.string(), text: z.string() })).optional(),
      next_cursor: z.string().optional(),
    }),
    run: async ({ query, text, user_id, ...more }, { deps, signal, reportProgress }) => {
      const { names, given, gate, abandon, failing, recall } = deps as Calls;
      names.push(name);
      given.push({ query, text, user_id, ...more });
      if (name === failing) throw new ContextloomError('unavailable', `${name} is away`);
      signal.addEventListener('abort', abandon);
      if (name === 'wait') {
        reportProgress(1, 2, 'half way');
        await gate;
      }
      return {
        said: `${user_id ?? 'nobody'}: ${query ?? text ?? more.cursor ?? ''}`,
        prompt: `You are ${more.persona_name}.`,
        ...(recall !== undefined && { parts: [{ kind: 'recall', text: `${recall} ${more.user_query ?? ''}\n` }] }),
        // Two pages.
        ...(name === 'export_user' && more.cursor === undefined && { next_cursor: 'page 2' }),
      };
    },
  });

/** How a server differs. */
export interface ServerOptions {
  /** Whether it knows nothing of 2026-07-28. */
  readonly isLegacy?: boolean;
  /** A free one by default. */
  readonly port?: number;
  /** What it shows at `/`. */
  readonly page?: string;
}

/** Serves a few operations over HTTP. */
export async function startServer(
  calls: Calls,
  { isLegacy = false, port = 0, page }: ServerOptions = {},
): Promise<Listening> {
  const reads = ['recall', 'wait', 'build_prompt_with_context', 'export_user'].map((name) => define(name, 'reads'));
  const operations = [...reads, ...['remember', 'store_conversation_memory'].map((name) => define(name, 'adds'))];
  const factory = createMcpServer({ name: 'test', version: '0', operations, deps: calls, log: silentLog });
  const endpoint = createMcpEndpoint(factory, { log: silentLog, drainMs: 0 });
  const app = await createHttpApp();
  app.get('/', (_request, response) => response.type('html').send(page));
  app.all('/mcp/all', (request, response, next) => {
    if (!isLegacy || request.headers['mcp-protocol-version'] !== '2026-07-28') {
      return endpoint.handle(request, response, next);
    }
    const error = { code: -32_000, message: 'Unsupported protocol version' };
    response.status(400).json({ jsonrpc: '2.0', id: null, error });
  });
  const listening = await listen(app, { host: '127.0.0.1', port, graceMs: 0 });
  return {
    ...listening,
    close: async () => {
      await Promise.all([listening.close(), endpoint.close()]);
    },
  };
}

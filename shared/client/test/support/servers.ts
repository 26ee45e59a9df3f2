import {
  createHttpApp,
  createMcpEndpoint,
  createMcpServer,
  defineOperation,
  type Listening,
  listen,
  silentLog,
} from '@contextloom/mcp-kit';
import { z } from 'zod';

/** What a test hears and decides of the calls of a server. */
export interface Calls {
  /** The tools that were called, in order. */
  readonly names: string[];
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
  return { names: [], gate, abandoned, open: () => open(), abandon: () => abandon() };
}

const define = (name: 'recall' | 'remember' | 'wait', effect: 'reads' | 'adds') =>
  defineOperation({
    name,
    title: name,
    description: name,
    effect,
    scope: 'none',
    input: z.object({ query: z.string().optional(), text: z.string().optional(), user_id: z.string().optional() }),
    output: z.object({ said: z.string() }),
    run: async ({ query, text, user_id }, { deps, signal, reportProgress }) => {
      const { names, gate, abandon } = deps as Calls;
      names.push(name);
      signal.addEventListener('abort', abandon);
      if (name === 'wait') {
        reportProgress(1, 2, 'half way');
        await gate;
      }
      return { said: `${user_id ?? 'nobody'}: ${query ?? text ?? ''}` };
    },
  });

/** Serves a few operations over HTTP, in both eras or as a server that knows nothing of the newer one. */
export async function startServer(
  calls: Calls,
  { isLegacy = false, port = 0 }: { readonly isLegacy?: boolean; readonly port?: number } = {},
): Promise<Listening> {
  const operations = [define('recall', 'reads'), define('remember', 'adds'), define('wait', 'reads')];
  const factory = createMcpServer({ name: 'test', version: '0', operations, deps: calls, log: silentLog });
  const endpoint = createMcpEndpoint(factory, { log: silentLog, drainMs: 0 });
  const app = await createHttpApp();
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

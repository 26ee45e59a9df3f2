import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listen } from '@contextloom/server-kit';

/** A request as the provider got it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Resolves when its connection is closed or it is answered. */
  readonly closed: Promise<void>;
}

/** A provider that keeps the bytes of each request. */
export interface Provider extends Listening {
  readonly seen: Seen[];
  /** Answers a request; `{}` unless a test says otherwise. */
  answer: (request: Seen, response: ServerResponse) => void;
}

/** Starts it on a free port of this machine. */
export async function startProvider(): Promise<Provider> {
  const state: Pick<Provider, 'seen' | 'answer'> = { seen: [], answer: (_request, response) => response.end('{}') };
  const entryPoint = await listen(
    async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const { method = '', url = '', headers } = request;
      const closed = new Promise<void>((resolve) => response.once('close', resolve));
      const one = { method, url, headers, body: Buffer.concat(pieces), closed };
      state.seen.push(one);
      state.answer(one, response);
    },
    { host: '127.0.0.1', port: 0, graceMs: 100 },
  );
  return Object.assign(state, entryPoint);
}

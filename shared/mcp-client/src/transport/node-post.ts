import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { MAX_MESSAGE_BYTES, readLargeAnswer } from '@contextloom/runtime';
import { AnswerTooLargeError, isEventStream } from './bounded-fetch.ts';

/** How long a TCP connection without a request is kept, in milliseconds: shorter than servers keep theirs, and as `fetch` does. */
const IDLE_MS = 4_000;

/** A response whose body is there: read from web streams, a short answer takes ten times as long. */
class WholeResponse extends Response {
  override readonly text: () => Promise<string>;
  override readonly json: () => Promise<unknown>;
  override readonly headers: Headers;

  constructor(bytes: Buffer, { headers, ...init }: ResponseInit & { readonly headers: Headers }) {
    super(null, init);
    this.headers = headers;
    this.text = async () => new TextDecoder().decode(bytes);
    this.json = async () => readLargeAnswer(bytes) ?? JSON.parse(await this.text());
  }
}

/**
 * A `fetch` whose POSTs of a text over plain HTTP go through Node's own client, over connections that are kept. Everything else is
 * for `fetch`, which knows what a server far away may want: compression, say.
 */
export function createNodePost(maxBytes: number = MAX_MESSAGE_BYTES): typeof globalThis.fetch {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  return (input, init) => {
    const { method, body, redirect } = init ?? {};
    const url = new URL(input instanceof Request ? input.url : input);
    const isPost = method === 'POST' && typeof body === 'string' && redirect === 'manual' && url.protocol === 'http:';
    return isPost ? post(url, { ...init, body }, { agent, maxBytes }) : globalThis.fetch(input, init);
  };
}

interface Sending {
  readonly agent: Agent;
  readonly maxBytes: number;
}

function post(url: URL, init: RequestInit & { body: string }, { agent, maxBytes }: Sending): Promise<Response> {
  const { body, headers, signal } = init;
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers)),
    };
    const sent = request(url, { ...options, ...(signal && { signal }) }, (incoming) => {
      toResponse(incoming, maxBytes).then(resolve, reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** An event stream as it comes, and anything else once it is there. */
async function toResponse(incoming: IncomingMessage, maxBytes: number): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const init = { status, statusText, headers };
  if (isEventStream(headers)) return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, init);
  return new WholeResponse(await readWhole(incoming, maxBytes), init);
}

function readWhole(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) incoming.destroy(new AnswerTooLargeError(`the answer has more than ${maxBytes} bytes`));
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    incoming.once('error', reject);
  });
}

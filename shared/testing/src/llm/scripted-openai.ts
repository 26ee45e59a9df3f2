import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cutAtLimit, type Said, toCompletion, toEmbeddings, toReranking, toStreamEvents } from './answers.ts';
import {
  type ApiError,
  checkChatRequest,
  checkEmbeddingsRequest,
  checkRerankRequest,
  toApiError,
} from './check-request.ts';
import type { Lacks, RecordedBody, RecordedRequest, Script, Step } from './script.ts';

/** How a scripted endpoint is set up. */
export interface ScriptedOpenAiOptions {
  /** What it does with chats. */
  readonly chat?: Script;
  /** What it does with requests for embeddings; without it, it embeds. */
  readonly embeddings?: Script;
  /** What it does with requests for a reranking; without it, it ranks by the words that texts share. */
  readonly rerank?: Script;
  readonly lacks?: Lacks;
  /** The key that it knows. */
  readonly apiKey?: string;
  /** The size of its vectors. */
  readonly dimensions?: number;
  /** Most texts of one request for embeddings. */
  readonly maxBatch?: number;
}

/** A running endpoint. */
export interface ScriptedOpenAi {
  /** The base URL, ending in `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** Every request that was valid, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Every request that was refused, by what was said of it. */
  readonly refused: readonly string[];
  /** Most requests that were open at once. */
  readonly peak: () => number;
  /** Requests that are open now; one that its client gave up is not. */
  readonly open: () => number;
  /** Ends it, and every connection with it. */
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, { status, error }: ApiError, headers: Record<string, string> = {}): void {
  sendJson(response, status, { error }, headers);
}

function sendChat(response: ServerResponse, id: string, body: RecordedBody, answer: Said, cutAfter?: number): void {
  const said = cutAtLimit(answer, body);
  if (body.stream !== true) {
    sendJson(response, 200, toCompletion(id, body, said));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = toStreamEvents(id, body, said).slice(0, cutAfter);
  for (const event of events.slice(0, -1)) response.write(event);
  // What is written is on its way only once the callback is called.
  response.write(events.at(-1) ?? '', () => (cutAfter === undefined ? response.end() : response.destroy()));
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Does what a step says. */
async function play(step: Step, { body }: RecordedRequest, response: ServerResponse, id: string, dimensions: number) {
  if ('delayMs' in step && step.delayMs !== undefined) await sleep(step.delayMs, undefined, { ref: false });
  if ('until' in step) await step.until;
  switch (step.kind) {
    case 'answer': {
      const said = { text: step.text, finish: step.finish ?? 'stop', refusal: null };
      return sendChat(response, id, body, said, step.cutAfter);
    }
    case 'tool_calls':
      return sendChat(response, id, body, { text: '', finish: 'tool_calls', refusal: null, calls: step.calls });
    case 'refusal':
      return sendChat(response, id, body, { text: '', finish: 'stop', refusal: step.text });
    case 'embed':
      return sendJson(response, 200, await toEmbeddings(body, dimensions));
    case 'rerank':
      return sendJson(response, 200, await toReranking(body, step.scores));
    case 'error': {
      const error = toApiError(step.status, step.message ?? 'scripted error', step.param, step.code);
      return sendError(response, error, step.retryAfter === undefined ? {} : { 'retry-after': step.retryAfter });
    }
    case 'body':
      response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
      return void response.end(step.body);
    case 'redirect':
      response.writeHead(step.status, { location: step.location });
      return void response.end();
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      return void response.write('{"choices":[{"mess', () => response.destroy());
    case 'rubbish':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(step.body);
    case 'hang':
      return undefined;
    case 'cut':
      return void response.destroy();
  }
}

function chooseStep(script: Script | undefined, fallback: Step, request: RecordedRequest, index: number): Step {
  if (script === undefined) return fallback;
  if (typeof script === 'function') return script(request, index);
  return script[index] ?? script.at(-1) ?? fallback;
}

const SILENT: Step = { kind: 'error', status: 500, message: 'the script says nothing of chats' };

type Limits = Required<Omit<ScriptedOpenAiOptions, 'chat' | 'embeddings' | 'rerank'>>;

/** What it says of the requests to each of its paths; undefined of those it takes. */
const checks: Readonly<Record<string, (body: unknown, limits: Limits) => ApiError | undefined>> = {
  '/chat/completions': (body, { lacks }) => checkChatRequest(body, lacks),
  '/embeddings': (body, { lacks, maxBatch, dimensions }) => checkEmbeddingsRequest(body, lacks, maxBatch, dimensions),
  '/rerank': checkRerankRequest,
};

/** Checks a request as the real API does; answers what is wrong, or the path and the body. */
async function readRequest(request: IncomingMessage, limits: Limits): Promise<ApiError | RecordedRequest> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const path = pathname.replace(/^\/v1/, '');
  const text = await readBody(request);
  const key = request.headers.authorization;
  if (key === undefined) return toApiError(401, "You didn't provide an API key.");
  if (key !== `Bearer ${limits.apiKey}`)
    return toApiError(401, 'Incorrect API key provided.', undefined, 'invalid_api_key');
  const check = pathname.startsWith('/v1/') ? checks[path] : undefined;
  if (check === undefined) return toApiError(404, `Invalid URL (${request.method} ${pathname})`);
  if (request.method !== 'POST') return toApiError(405, `Not allowed to ${request.method} on ${pathname}`);
  const json = /^application\/json\b/.test(request.headers['content-type'] ?? '') ? parseJson(text) : undefined;
  if (json === undefined) return toApiError(400, 'We could not parse the JSON body of your request.');
  return check(json.value, limits) ?? { path, body: json.value as RecordedBody };
}

/**
 * Starts an endpoint that speaks the OpenAI API, and the rerank call of Cohere and Jina, on a free port of 127.0.0.1 and
 * answers from a script. It takes what the real APIs take and refuses what they refuse, with the same status of error.
 */
export async function startScriptedOpenAi(options: ScriptedOpenAiOptions = {}): Promise<ScriptedOpenAi> {
  const { chat, embeddings, rerank, lacks = {}, apiKey = 'sk-scripted', dimensions = 256, maxBatch = 2_048 } = options;
  const requests: RecordedRequest[] = [];
  const refused: string[] = [];
  const counts = { open: 0, peak: 0 };
  const arrived = new Map<string, number>();
  const scripts: Readonly<Record<string, { readonly script: Script | undefined; readonly fallback: Step }>> = {
    '/chat/completions': { script: chat, fallback: SILENT },
    '/embeddings': { script: embeddings, fallback: { kind: 'embed' } },
    '/rerank': { script: rerank, fallback: { kind: 'rerank' } },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readRequest(request, { apiKey, lacks, maxBatch, dimensions });
    if ('error' in read) {
      refused.push(read.error.message);
      return sendError(response, read);
    }
    requests.push(read);
    const index = arrived.get(read.path) ?? 0;
    arrived.set(read.path, index + 1);
    const { script, fallback = SILENT } = scripts[read.path] ?? {};
    const step = chooseStep(script, fallback, read, index);
    await play(step, read, response, `chatcmpl-${requests.length}`, dimensions);
  };
  const server = createServer((request, response) => {
    counts.open += 1;
    counts.peak = Math.max(counts.peak, counts.open);
    response.once('close', () => {
      counts.open -= 1;
    });
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    apiKey,
    requests,
    refused,
    peak: () => counts.peak,
    open: () => counts.open,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

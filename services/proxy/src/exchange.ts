import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Audit, Principal } from '@contextloom/access';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { addMemory } from './chat/add-memory.ts';
import { createAnswerReader } from './chat/answer-text.ts';
import { type ChatKind, toChatKind } from './chat/chat-kind.ts';
import { type ChatRequest, readChatRequest, type Said } from './chat/chat-request.ts';
import { forward, toClientHeaders, toProviderHeaders } from './forward.ts';
import type { MemoryOf, Recalled } from './memory.ts';
import { toProviderAddress } from './provider-address.ts';
import { type ProxyOptions, type RequestHeaders, readHeaders, resolveUser } from './request-headers.ts';

/** Largest body of a request, in bytes: recordings that are sent to be written down have up to 25 MB. */
export const MAX_BODY = 32 * 1_024 * 1_024;

/** The header that tells a client what memory did for its request. */
const MEMORY_HEADER = 'contextloom-memory';

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new ContextloomError('too_large', `the body must be at most ${MAX_BODY} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > MAX_BODY) throw tooLarge;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The text of a body; undefined where it is compressed or no UTF-8. */
function toText(body: Buffer, encoding: string | undefined): string | undefined {
  if ((encoding !== undefined && encoding !== 'identity') || !isUtf8(body)) return undefined;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
}

/** A request that gets memory, or goes on as it came. */
interface Prepared {
  readonly body: Uint8Array;
  readonly state: Recalled['state'] | 'off';
  /** Absent for what is no chat. */
  readonly chat?: {
    readonly kind: ChatKind;
    readonly said: readonly Said[];
    readonly of: MemoryOf;
    readonly requested: RequestHeaders;
  };
}

interface Chat {
  readonly kind: ChatKind;
  readonly text: string;
  readonly request: ChatRequest;
}

function readChat(kind: ChatKind | undefined, text: string | undefined): Chat | undefined {
  const request = kind === undefined || text === undefined ? undefined : readChatRequest(kind, text);
  return kind === undefined || text === undefined || request === undefined ? undefined : { kind, text, request };
}

/** Passes requests on to the provider, and answers back, byte for byte but for what memory adds to chats. */
export function createExchange(options: ProxyOptions, audit: Audit | undefined) {
  const { memory, providerUrl, providerKey, userId: usual, marks, log } = options;
  const provider = new URL(providerUrl);

  async function prepare(request: IncomingMessage, path: string, principal: Principal): Promise<Prepared> {
    const body = await readBody(request);
    const kind = toChatKind(request.method, path);
    const chat = readChat(kind, kind && toText(body, request.headers['content-encoding']));
    if (chat === undefined) return { body, state: 'off' };
    const requested = readHeaders((name) => request.headers[name]?.toString(), options);
    const of = { principal, userId: resolveUser(requested.user ?? chat.request.user, principal, usual) };
    const { said, newest, model } = chat.request;
    const { state, ...addition } = await memory.recall(of, {
      said,
      persona: requested.persona,
      hasNewest: newest !== undefined,
    });
    const found = { kind: chat.kind, said, of, requested };
    if (state === 'away') return { body, state, chat: found };
    const changed = addMemory({ kind: chat.kind, text: chat.text, model, newest, provider, marks }, addition);
    return { body: changed === chat.text ? body : Buffer.from(changed), state, chat: found };
  }

  /** Hands the answer to the client, and stores what was said, also where one of the two sides broke off. */
  async function answerWith(
    answer: IncomingMessage,
    response: ServerResponse,
    { state, chat }: Prepared,
  ): Promise<void> {
    const status = answer.statusCode ?? 502;
    const headers = [...toClientHeaders(answer.rawHeaders), [MEMORY_HEADER, state] as const];
    response.writeHead(status, answer.statusMessage, headers.flat());
    response.flushHeaders();
    const reader = chat && createAnswerReader(chat.kind, String(answer.headers['content-type'] ?? ''));
    if (reader !== undefined) answer.on('data', (bytes: Buffer) => reader.push(bytes));
    try {
      await pipeline(answer, response);
    } catch (cause) {
      log.info({ cause }, 'an answer was broken off'); // Both sides are closed by now: the client sees what it would without a proxy.
    }
    const text = reader?.text() ?? '';
    if (chat === undefined || !chat.requested.stores || status >= 300 || text.trim() === '') return;
    if (chat.said.some(({ role }) => role === 'user'))
      memory.store(chat.of, [...chat.said, { role: 'assistant', content: text }]);
  }

  return async (request: IncomingMessage, response: ServerResponse, principal: Principal): Promise<void> => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { method = 'GET', url: target = '/', headers: given } = request;
    const [path = ''] = target.split('?');
    let subjects: readonly string[] = [];
    const write = (outcome: string): void =>
      audit?.write({ principal, operation: `${method.toLowerCase()} /v1${path}`, subjects, outcome });
    try {
      const url = toProviderAddress(providerUrl, target);
      const prepared = await prepare(request, path, principal);
      if (prepared.chat !== undefined) subjects = [prepared.chat.of.userId];
      const headers = toProviderHeaders(given, providerKey);
      const answer = await forward({ method, url, headers, body: prepared.body, signal: gone.signal });
      write('ok');
      await answerWith(answer, response, prepared);
    } catch (error) {
      write(isContextloomError(error) ? error.code : 'internal');
      if (!gone.signal.aborted) throw error;
    }
  };
}

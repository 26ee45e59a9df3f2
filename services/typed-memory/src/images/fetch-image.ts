import type { ClientRequest, IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { ContextloomError } from '@contextloom/contracts';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { type FetchImage, MAX_IMAGE_BYTES, tooLarge } from './load-image.ts';

/** How images are fetched. */
export interface ImageFetcherOptions {
  readonly timeoutMs?: number;
  /** Of the connections; by default those to addresses that are not public are refused. */
  readonly agent?: ConstructorParameters<typeof RequestFilteringHttpsAgent>[0];
}

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 15_000;

const unavailable = (field: string, problem: string, cause?: unknown): ContextloomError =>
  new ContextloomError('unavailable', `${field} ${problem}`, { field, cause });

/** The agent checks addresses after names are resolved, at the very connection: no second look-up can bring another one. */
function toError(cause: unknown, field: string): ContextloomError {
  if (cause instanceof ContextloomError) return cause;
  if (cause instanceof Error && /is not allowed/u.test(cause.message)) {
    return new ContextloomError('forbidden', `${field} is at an address that is not public`, { field, cause });
  }
  return unavailable(field, 'could not be fetched', cause);
}

async function readBody(response: IncomingMessage, field: string): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_IMAGE_BYTES) throw tooLarge(field);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_IMAGE_BYTES) throw tooLarge(field);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Builds what fetches images from public https addresses; redirects lead nowhere else either. */
export function createImageFetcher({ timeoutMs = TIMEOUT_MS, agent = {} }: ImageFetcherOptions = {}): FetchImage {
  const filtering = new RequestFilteringHttpsAgent(agent);

  function request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent: ClientRequest = get(url, { agent: filtering, signal, headers: { accept: 'image/*' } }, resolve);
      sent.once('error', reject);
    });
  }

  async function follow(url: URL, field: string, signal: AbortSignal, redirects: number): Promise<Buffer> {
    const response = await request(url, signal);
    try {
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return await readBody(response, field);
      const next = statusCode >= 300 && statusCode < 400 && URL.canParse(headers.location ?? '', url.href);
      if (!next || redirects === 0) throw unavailable(field, `was answered with HTTP ${statusCode}`);
      const target = new URL(headers.location ?? '', url);
      if (target.protocol !== 'https:') throw unavailable(field, 'redirects to another protocol than https');
      return await follow(target, field, signal, redirects - 1);
    } finally {
      response.destroy();
    }
  }

  return async (url, field, signal) => {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await follow(url, field, AbortSignal.any([signal, late]), MAX_REDIRECTS);
    } catch (cause) {
      if (late.aborted) throw new ContextloomError('timeout', `${field} did not come in time`, { field, cause });
      throw toError(cause, field);
    }
  };
}

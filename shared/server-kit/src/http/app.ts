import type { IncomingMessage } from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { ContextloomError } from '@contextloom/contracts';
import { MAX_BODY_BYTES } from '@contextloom/runtime';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Express, RequestHandler } from 'express';
import { checkJson } from '../messages/check-json.ts';
import { LINES_TYPE } from '../route/route.ts';

/** Over stdio there is no HTTP: express, an eighth of what a start costs, is loaded when one opens. */
const loadExpress = async () => (await import('express')).default;

/** What an HTTP endpoint needs to know. */
export interface HttpAppOptions {
  /** Host names besides loopback's under which the endpoint is reached, without ports. */
  readonly allowedHosts?: readonly string[];
}

/**
 * Tells why a request for a foreign host name or from a foreign web page is refused: without this, a page that a user visits could
 * reach a server on the loopback interface (DNS rebinding). Undefined for any other.
 */
export function createAddressCheck(
  allowedHosts: readonly string[],
): (request: IncomingMessage) => ContextloomError | undefined {
  const hosts = [...localhostAllowedHostnames(), ...allowedHosts];
  const origins = [...localhostAllowedOrigins(), ...allowedHosts];
  return ({ headers }) => {
    const isHost = validateHostHeader(headers.host, hosts).ok;
    if (isHost && validateOriginHeader(headers.origin, origins).ok) return undefined;
    const what = isHost ? 'Origin' : 'Host';
    return new ContextloomError('forbidden', `this ${what} is not served here; ALLOWED_HOSTS names more`);
  };
}

const tooLarge = new ContextloomError('too_large', `the body must be at most ${MAX_BODY_BYTES} bytes`);

const hasBody = ({ headers }: { headers: Record<string, unknown> }): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Writes must say that they are JSON: a form of a foreign page cannot. A body that is announced as too large is refused
 * before it is read.
 */
const requireJson: RequestHandler = (request, _response, next) => {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return next(tooLarge);
  if (!hasBody(request) || request.is('application/json') !== false) return next();
  next(new ContextloomError('unsupported_media_type', 'the Content-Type must be application/json'));
};

/** Refuses a body whose content type is not JSON Lines; its length is not limited, since it is read as a stream. */
export const requireLines: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && request.is(LINES_TYPE) !== false && !request.headers['content-encoding']) return next();
  next(new ContextloomError('unsupported_media_type', `the body must be JSON Lines, Content-Type ${LINES_TYPE}`));
};

/** Decoded, every wrong byte would become the same character, and two users of a query string could become one. */
function parseQuery(text: string | null): ParsedUrlQuery {
  const query = text ?? '';
  if (!isPercentEncodedUtf8(query)) {
    throw new ContextloomError('malformed', 'the query string is not valid percent-encoded UTF-8');
  }
  return parse(query);
}

/** A sign "%" that begins no escape stands for itself, as for every reader of query strings. */
function isPercentEncodedUtf8(text: string): boolean {
  if (/[^\p{ASCII}]/u.test(text)) return false;
  try {
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** An express app with the guards that every HTTP endpoint of the product has, and nothing behind them yet. */
export async function createHttpApp({ allowedHosts = [] }: HttpAppOptions = {}): Promise<Express> {
  const express = await loadExpress();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  const check = createAddressCheck(allowedHosts);
  app.use((request, _response, next) => next(check(request)));
  return app;
}

/** Reads JSON bodies of the routes added after it: 415, 413 and 400 for what is not JSON of a fair size. */
export async function readJsonBodies(app: Express): Promise<void> {
  const express = await loadExpress();
  const verify = (_request: unknown, _response: unknown, body: Buffer, charset: string): void => {
    if (charset !== 'utf-8') throw new ContextloomError('unsupported_media_type', 'the charset must be UTF-8');
    checkJson(body, 'body');
  };
  app.use(requireJson, express.json({ limit: MAX_BODY_BYTES, strict: false, verify }));
}

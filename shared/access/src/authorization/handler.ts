import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContextloomError } from '@contextloom/contracts';
import type { RequestHandler, Response } from 'express';
import type { Context } from 'oidc-provider';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { toErrorPage } from './consent-page.ts';
import { connectionScopes, PATHS } from './load-provider.ts';
import type { Resources } from './resources.ts';
import { toSenderAddress } from './sender-address.ts';
import { toTexts } from './texts.ts';

/** What answers the paths of the authorization server. */
export interface HandlerOptions {
  readonly issuer: string;
  /** The provider's own paths. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** The page where a person lets a program in. */
  readonly consent: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly resources: Resources;
  /** Awaited before a key decides: what was changed on another machine counts then. */
  readonly refreshKeys: () => Promise<void>;
}

const METADATA = /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/.*)?$/;

/** Where a protected resource is described; its path follows. Source: RFC 9728, section 3.1. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Requests a minute of one address: a person opens few pages, and a program registers once. */
const REGISTRATIONS_PER_MINUTE = 20;
const REQUESTS_PER_MINUTE = 240;

/** Answers what clients read, what they ask for, and what people see; everything else goes on. */
export function createHandler({ issuer, answer, consent, resources, refreshKeys }: HandlerOptions): RequestHandler {
  const limit = createLimits();
  async function respond(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    await limit(request, path);
    await refreshKeys();
    presentAs(issuer, request);
    if (!path.startsWith(`${PATHS.signIn}/`)) return answer(withScope(request, path), response);
    refuseForeignForm(issuer, request);
    await consent(request, response).catch((error: unknown) => {
      throw toPageError(error);
    });
  }
  return (request, response, next) => {
    const { path } = request;
    if (path === RESOURCE_METADATA || path.startsWith(`${RESOURCE_METADATA}/`)) {
      const described = resources.describe(path.slice(RESOURCE_METADATA.length));
      if (described === undefined) next();
      else response.set('Access-Control-Allow-Origin', '*').json(described);
    } else if (METADATA.test(path)) {
      request.url = '/.well-known/oauth-authorization-server';
      presentAs(issuer, request);
      answer(request, response).catch(next);
    } else if (path.startsWith('/oauth/')) {
      respond(request, response, path).catch((error: unknown) => {
        if (error instanceof PageError) sendPage(response, error, request.headers['accept-language']);
        else next(error);
      });
    } else next();
  };
}

/** A page in the place of an error that a program reads. */
class PageError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

function toPageError(error: unknown): unknown {
  const isOver = error instanceof Error && error.name === 'SessionNotFound';
  return isOver ? new PageError('This page is over: begin again in the program that sent you here.', 400) : error;
}

function sendPage(response: Response, { message, status }: PageError, language: string | undefined): void {
  const { headers, body } = toErrorPage(toTexts(language), message);
  response.status(status).set(headers).send(body);
}

/** Says why a person cannot be sent back to the program that sent them. */
export function sendErrorPage(context: Context, { error, error_description: words }: OAuthError): void {
  const { headers, body } = toErrorPage(toTexts(undefined), words === undefined ? error : `${error}: ${words}`);
  for (const [name, value] of Object.entries(headers)) context.set(name, value);
  context.body = body;
}

interface OAuthError {
  readonly error: string;
  readonly error_description?: string;
}

/** A page of somebody else must not decide for the person. */
function refuseForeignForm(issuer: string, { method, headers }: IncomingMessage): void {
  if (method !== 'POST' || headers.origin === issuer) return;
  throw new PageError('This form was sent from another page.', 403);
}

/** Behind a proxy: the address is the one that people see, whatever the proxy says; nobody is signed in from before. */
function presentAs(issuer: string, { headers }: IncomingMessage): void {
  const { protocol, host } = new URL(issuer);
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
  const cookies = headers.cookie?.split(/;\s*/).filter((cookie) => !cookie.startsWith('_session'));
  if (cookies === undefined || cookies.length === 0) delete headers.cookie;
  else headers.cookie = cookies.join('; ');
}

/** A program that asks for nothing that there is here asks for what there is: the person sees what that is. */
function withScope(request: IncomingMessage, path: string): IncomingMessage {
  if (path !== PATHS.authorize) return request;
  const url = new URL(request.url ?? '', 'http://localhost');
  const given = url.searchParams.getAll('scope');
  const known = given
    .join(' ')
    .split(' ')
    .filter((scope) => connectionScopes.some((one) => one === scope));
  if (given.length > 1) return request; // Refused by the provider.
  url.searchParams.set('scope', known.length === 0 ? connectionScopes.join(' ') : known.join(' '));
  request.url = `${url.pathname}${url.search}`;
  return request;
}

function createLimits(): (request: IncomingMessage, path: string) => Promise<void> {
  const all = new RateLimiterMemory({ points: REQUESTS_PER_MINUTE, duration: 60 });
  const registrations = new RateLimiterMemory({ points: REGISTRATIONS_PER_MINUTE, duration: 60 });
  return async (request, path) => {
    const limiter = path.startsWith(PATHS.register) ? registrations : all;
    await limiter.consume(toSenderAddress(request)).catch((cause: unknown) => {
      if (cause instanceof Error) throw cause;
      throw new ContextloomError('rate_limited', 'too many requests of this address: wait a minute');
    });
  };
}

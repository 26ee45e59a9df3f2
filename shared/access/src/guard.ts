import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { RequestHandler, Response } from 'express';
import { addressOf } from './calls/address.ts';
import { codeOf } from './calls/audit.ts';
import { type Limiter, RateLimitedError } from './calls/limits.ts';
import { BODY_SILENCE_MS, watchBody } from './calls/unfinished-body.ts';
import { INSTALLATION, narrowBy } from './credentials/installation-secret.ts';
import type { Identify } from './identify.ts';
import { localPrincipal, type Principal } from './principal/principal.ts';

/** What stands in front of an endpoint. */
export interface Guard {
  readonly identify: Identify;
  /** Whether callers must authenticate now; never by default. */
  readonly isAuthRequired?: () => boolean;
  readonly limiter?: Limiter | undefined;
  /** Gets the code of the error when a request is turned away. */
  readonly onRefused?: (code: string) => void;
  /** Where clients that were refused at a path of a host read who gives tokens. */
  readonly toMetadataUrl?: ((path: string, host: string) => string) | undefined;
  /** How long a body may be silent, in milliseconds. */
  readonly silenceMs?: number;
  readonly log: Log;
}

/** How often an answer under way is asked again for its caller's key, in milliseconds: a stream ends within a second of it. */
const RECHECK_MS = 300;

/** The header by which a caller says for whom it calls, as JSON; it can only take rights away. */
export const PRINCIPAL_HEADER = 'contextloom-principal';

/** @throws ContextloomError `invalid` for what is no principal: to ignore it would give more rights than were meant */
function narrowByHeader(principal: Principal, header: string | undefined): Principal {
  return header === undefined ? principal : narrowBy(principal, readPrincipal(header), [PRINCIPAL_HEADER]);
}

function readPrincipal(header: string): unknown {
  try {
    return JSON.parse(header);
  } catch (cause) {
    throw new ContextloomError('invalid', `${PRINCIPAL_HEADER} must be JSON`, { field: PRINCIPAL_HEADER, cause });
  }
}

/** A request that was let in. */
export interface Admission {
  readonly principal: Principal;
  /** By which limits count: never by what a caller adds to its name. */
  readonly caller: string;
  /** Counts it among the event streams, which last, and have a limit of their own. @throws ContextloomError `rate_limited` */
  readonly becomeStream: () => void;
}

/** Lets a request in, or says why not; what it shows is its Authorization header, where an endpoint takes no other. */
export type Admit = (request: IncomingMessage, response: ServerResponse, shown?: Shown) => Promise<Admission>;

/** How a request says who sends it, at an endpoint that does not take its Authorization header. */
export interface Shown {
  readonly authorization: string | undefined;
}

/** How the request was let in; undefined if it was not authenticated. */
export function admissionOf(response: Response): Admission | undefined {
  return response.locals['admission'] as Admission | undefined;
}

/** The sender of the request; undefined if it was not authenticated. */
export function senderOf(response: Response): Principal | undefined {
  return admissionOf(response)?.principal;
}

/** Finds out once who sends a request, for all that stands behind; the open paths are for everybody. */
export function requireIdentity(admit: Admit, openPaths: readonly string[]): RequestHandler {
  return async (request, response, next) => {
    const { locals } = response;
    if (!openPaths.includes(request.path))
      locals['admission'] = await (locals['admission'] ?? admit(request, response));
    next();
  };
}

/** Has an admission that was requested before express found there, so that a request counts once. */
export function noteAdmission(response: ServerResponse, admission: Promise<Admission>): void {
  Object.assign(response, { locals: { admission } });
}

/** Makes what stands in front of an endpoint: who calls, how often, how much at once, and for how long it may go on. */
export function createAdmit(guard: Guard): Admit {
  const { identify, limiter, onRefused, silenceMs = BODY_SILENCE_MS } = guard;
  const recheck = createRecheck(guard);
  return async (request, response, { authorization } = { authorization: request.headers.authorization }) => {
    try {
      const path = pathOf(request);
      const own = await identify(authorization, { path });
      const principal = narrowByHeader(own, request.headers[PRINCIPAL_HEADER]?.toString());
      const caller = toCaller(own, principal, request);
      const running = await limiter?.begin(caller, watchBody(request, silenceMs));
      response.once('close', () => running?.end());
      recheck(response, { authorization, path, name: principal.name, wasAsked: guard.isAuthRequired?.() === true });
      return { principal, caller, becomeStream: () => running?.becomeStream() };
    } catch (error) {
      onRefused?.(codeOf(error));
      if (isContextloomError(error) && error.code === 'unauthorized') {
        response.setHeader('WWW-Authenticate', toChallenge(guard, request));
        await limiter?.refuse(addressOf(request.socket)).catch((limited: unknown) => {
          throw withRetryAfter(response, limited);
        });
      }
      throw withRetryAfter(response, error);
    }
  };
}

/** First-party servers say whom they call for; whom others name takes rights away, and no limits. */
function toCaller(own: Principal, principal: Principal, { socket }: IncomingMessage): string {
  if (own.name === INSTALLATION) return principal.name;
  return own.name === localPrincipal.name ? `${own.name} at ${addressOf(socket)}` : own.name;
}

/** Source: RFC 6750, section 3; RFC 9728, section 5.1. */
function toChallenge({ toMetadataUrl }: Guard, request: IncomingMessage): string {
  if (toMetadataUrl === undefined) return 'Bearer';
  return `Bearer resource_metadata="${toMetadataUrl(pathOf(request), request.headers.host ?? '')}"`;
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1).join('');

function withRetryAfter(response: ServerResponse, error: unknown): unknown {
  if (error instanceof RateLimitedError) response.setHeader('Retry-After', String(error.retryAfterSeconds));
  return error;
}

/** How a request whose answer is under way was let in. */
interface LetIn {
  readonly authorization: string | undefined;
  readonly path: string;
  /** Whose it is. */
  readonly name: string;
  /** Whether callers had to authenticate by then. */
  readonly wasAsked: boolean;
}

/** Cuts answers that are under way when their caller's key is revoked or expires, or when the first key makes one necessary. */
function createRecheck({ identify, log }: Guard): (response: ServerResponse, letIn: LetIn) => void {
  const open = new Map<ServerResponse, LetIn>();
  const spared = new WeakSet<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    for (const [response, { authorization, path, name, wasAsked }] of [...open]) {
      try {
        await identify(authorization, { isUnderWay: true, path });
      } catch (error) {
        // That keys cannot be read for a moment says nothing about a caller who showed one.
        if (wasAsked && codeOf(error) !== 'unauthorized') continue;
        // A call that began just before the first key may end: one first-party server may have sent it to another.
        if (!wasAsked && !spared.has(response)) {
          spared.add(response);
          continue;
        }
        log.info({ principal: name }, 'an answer under way is cut: its caller has no valid key');
        response.destroy();
      }
    }
  };
  return (response, letIn) => {
    open.set(response, letIn);
    timer ??= setInterval(() => {
      // Keys of another machine may take longer to be read than the time between two looks.
      if (isLooking) return;
      isLooking = true;
      void look().finally(() => {
        isLooking = false;
      });
    }, RECHECK_MS).unref();
    response.once('close', () => {
      open.delete(response);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
}

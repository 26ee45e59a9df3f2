import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../process/log.ts';
import { codeOf } from './calls/audit.ts';
import { type Limiter, RateLimitedError } from './calls/limits.ts';
import { narrowBy } from './credentials/house.ts';
import type { Identify } from './identify.ts';
import type { Principal } from './principal/principal.ts';

/** What stands in front of a door. */
export interface Guard {
  readonly identify: Identify;
  /** Whether callers must authenticate now; never by default. */
  readonly isAsked?: () => boolean;
  readonly limiter?: Limiter | undefined;
  /** Told the code of the error when a request is turned away. */
  readonly onRefused?: (code: string) => void;
  /** Where clients read which identity provider gives tokens. */
  readonly metadataPath?: string;
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

/** The sender of the request; undefined if it was not authenticated. */
export function senderOf(response: Response): Principal | undefined {
  return response.locals['principal'] as Principal | undefined;
}

/** Finds out once who sends a request, for all that stands behind; the open paths are for everybody. */
export function requireIdentity(guard: Guard, openPaths: readonly string[]): RequestHandler {
  const { identify, limiter, onRefused } = guard;
  const recheck = createRecheck(guard);
  return async (request, response, next) => {
    if (openPaths.includes(request.path)) return next();
    const authorization = request.get('authorization');
    try {
      const principal = narrowByHeader(await identify(authorization), request.get(PRINCIPAL_HEADER));
      const end = await limiter?.begin(principal.name);
      response.once('close', () => end?.());
      response.locals['principal'] = principal;
      recheck(response, { authorization, wasAsked: guard.isAsked?.() === true });
    } catch (error) {
      onRefused?.(codeOf(error));
      if (isContextloomError(error) && error.code === 'unauthorized') {
        response.set('WWW-Authenticate', toChallenge(guard, request));
        await limiter?.refuse(request.socket.remoteAddress ?? 'unknown').catch((limited: unknown) => {
          throw withRetryAfter(response, limited);
        });
      }
      throw withRetryAfter(response, error);
    }
    next();
  };
}

/** Source: RFC 6750, section 3; RFC 9728, section 5.1. */
function toChallenge({ metadataPath }: Guard, request: Request): string {
  if (metadataPath === undefined) return 'Bearer';
  return `Bearer resource_metadata="${request.protocol}://${request.get('host') ?? ''}${metadataPath}"`;
}

function withRetryAfter(response: Response, error: unknown): unknown {
  if (error instanceof RateLimitedError) response.set('Retry-After', String(error.retryAfterSeconds));
  return error;
}

/** How a request whose answer is under way was let in. */
interface LetIn {
  readonly authorization: string | undefined;
  /** Whether callers had to authenticate by then. */
  readonly wasAsked: boolean;
}

/** Cuts answers that are under way when their caller's key is revoked or expires, or when the first key makes one necessary. */
function createRecheck({ identify, log }: Guard): (response: Response, letIn: LetIn) => void {
  const open = new Map<Response, LetIn>();
  const spared = new WeakSet<Response>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    for (const [response, { authorization, wasAsked }] of [...open]) {
      try {
        await identify(authorization, { isUnderWay: true });
      } catch (error) {
        // That keys cannot be read for a moment says nothing about a caller who showed one.
        if (wasAsked && codeOf(error) !== 'unauthorized') continue;
        // A call that began just before the first key may end: one server of the house may have sent it to another.
        if (!wasAsked && !spared.has(response)) {
          spared.add(response);
          continue;
        }
        log.info({ principal: senderOf(response)?.name }, 'an answer under way is cut: its caller has no valid key');
        response.destroy();
      }
    }
  };
  return (response, letIn) => {
    open.set(response, letIn);
    timer ??= setInterval(() => void look(), RECHECK_MS).unref();
    response.once('close', () => {
      open.delete(response);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
}

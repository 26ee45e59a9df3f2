import { createHash, timingSafeEqual } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import type { RequestHandler } from 'express';

/** Digests have one length, so that comparing them tells nothing about the token's own. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Refuses requests without `Authorization: Bearer <token>`, but for the open paths. Source: RFC 6750, section 2.1. */
export function requireToken(token: string, openPaths: readonly string[]): RequestHandler {
  const expected = digest(token);
  return (request, response, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
    if (openPaths.includes(request.path) || timingSafeEqual(digest(given), expected)) return next();
    response.set('WWW-Authenticate', 'Bearer');
    next(
      new ContextloomError('unauthorized', 'the Authorization header must be "Bearer" and the token of this server'),
    );
  };
}

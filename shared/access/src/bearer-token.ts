import { createHash, timingSafeEqual } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import { type Identify, readBearer } from './identify.ts';
import { localPrincipal } from './principal/principal.ts';

/** Digests have one length, so that comparing them tells nothing about the token's own. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A server's own token reaches all that the server does, next to keys where callers need those. */
export function withToken(token: string, identify: Identify, isAuthRequired: () => boolean): Identify {
  const expected = digest(token);
  return (authorization, options) => {
    if (timingSafeEqual(digest(readBearer(authorization) ?? ''), expected)) return { ...localPrincipal, name: 'token' };
    if (isAuthRequired()) return identify(authorization, options);
    throw new ContextloomError(
      'unauthorized',
      'the Authorization header must be "Bearer" and the token of this server',
    );
  };
}

import type { RequestHandler, Response } from 'express';
import { localPrincipal, type Principal } from './principal.ts';

/** What a request says about its sender. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** Any other header. */
  readonly header: (name: string) => string | undefined;
  readonly remoteAddress: string | undefined;
}

/** Tells who sends a request; rejects with `ContextloomError` `unauthorized` when nobody may know. */
export type Identify = (credentials: Credentials) => Principal | Promise<Principal>;

/** For doors that ask nobody who they are. */
export const identifyAnyone: Identify = () => localPrincipal;

/** Finds out once who sends a request, for all that stands behind; the open paths are for everybody. */
export function requireIdentity(identify: Identify, openPaths: readonly string[]): RequestHandler {
  return async (request, response, next) => {
    if (!openPaths.includes(request.path)) {
      response.locals['principal'] = await identify({
        authorization: request.get('authorization'),
        header: (name) => request.get(name),
        remoteAddress: request.socket.remoteAddress,
      });
    }
    next();
  };
}

/** Who sent the request that is answered here; undefined where nobody asked. */
export function senderOf(response: Response): Principal | undefined {
  return response.locals['principal'] as Principal | undefined;
}

/** On an open path: reads what belongs to nobody. */
export const nobody: Principal = { name: 'nobody', users: [], projects: [], scopes: ['read'] };

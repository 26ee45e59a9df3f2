import { ContextloomError } from '@contextloom/contracts';
import type { InstallationSecret } from './credentials/installation-secret.ts';
import { type Keyring, toKeyPrincipal } from './credentials/keys.ts';
import { localPrincipal, type Principal } from './principal/principal.ts';

/**
 * Tells who sends a request by its Authorization header; rejects with `unauthorized`, or
 * `unavailable` where that is not known. A token may be for some paths alone. A request under way, which was let in before, may outlive its ticket of this installation.
 */
export type Identify = (
  authorization: string | undefined,
  options?: { readonly isUnderWay?: boolean; readonly path?: string | undefined },
) => Principal | Promise<Principal>;

/** The token of an Authorization header. Source: RFC 6750, section 2.1. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** For HTTP servers without authentication. */
export const identifyAnyone: Identify = () => localPrincipal;

/** The principal of an open path: it reads data without an owner. */
export const nobody: Principal = { name: 'nobody', users: [], projects: [], scopes: ['read'] };

/** Whom an endpoint lets in. */
export interface IdentifyOptions {
  /** The server's name, for keys that are for some servers alone. */
  readonly server: string;
  readonly keyring: Keyring;
  readonly installation: InstallationSecret;
  /** Checks tokens of an identity provider, where one is set. */
  readonly verifyJwt?: ((token: string) => Promise<Principal>) | undefined;
  /** Whose token of this installation's own authorization server it is, where it has one. */
  readonly verifyOwn?: ((token: string, path: string) => Promise<Principal | undefined>) | undefined;
  /** Whether callers need a key or token although there is no key yet. */
  readonly isClosed?: boolean;
  /** Whoever calls while neither keys nor tokens are required. */
  readonly local?: Principal;
}

const KEY_NEEDED = 'a key is needed: Authorization: Bearer <key>, as "contextloom keys add" prints it';

/** Whether anybody has to say who they are. */
export function isAuthRequired({
  keyring,
  verifyJwt,
  isClosed = false,
}: Pick<IdentifyOptions, 'keyring' | 'verifyJwt' | 'isClosed'>): boolean {
  return isClosed || verifyJwt !== undefined || keyring.isAuthRequired();
}

/** Tells callers apart by keys, by tokens of an identity provider, and first-party servers by their tickets. */
export function createIdentify(options: IdentifyOptions): Identify {
  const { server, keyring, installation, verifyJwt, verifyOwn, local = localPrincipal } = options;
  return async (authorization, { isUnderWay = false, path = '' } = {}) => {
    await keyring.refresh();
    if (!isAuthRequired(options)) return local;
    const token = readBearer(authorization);
    if (token === undefined) throw new ContextloomError('unauthorized', KEY_NEEDED);
    const own = await installation.verify(token, { isUnderWay });
    if (own !== undefined) return own;
    const key = keyring.find(token, server);
    if (key !== undefined) return toKeyPrincipal(key);
    const connected = await verifyOwn?.(token, path);
    if (connected !== undefined) return connected;
    // A key has no dots, and a JWT two: each gets its own error message.
    if (verifyJwt !== undefined && token.split('.').length === 3) return verifyJwt(token);
    throw new ContextloomError('unauthorized', `this key is unknown, revoked, expired or not for ${server}`);
  };
}

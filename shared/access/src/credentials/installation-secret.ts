import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ContextloomError, parseInput } from '@contextloom/contracts';
import { requireOwnReading } from '@contextloom/runtime';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { accessScopes, localPrincipal, narrowPrincipal, type Principal } from '../principal/principal.ts';

/** The issuer: servers of one installation, which share the secret. */
const ISSUER = 'contextloom-house';
const LIFETIME = '60s';

/** The name of a server of the installation where it calls for itself; no key and no token has it. */
export const INSTALLATION = 'house';

/** The `_meta` key by which one first-party server tells another for whom it calls; it can only narrow what the caller may. */
export const PRINCIPAL_KEY = 'contextloom/principal';

const reachSchema = z.union([z.literal('all'), z.array(z.string()).readonly()]);

/** A principal as it crosses a process border. */
const principalSchema = z.object({
  name: z.string().max(256),
  users: reachSchema,
  projects: reachSchema,
  scopes: z.array(z.enum(accessScopes)).readonly(),
});

/**
 * What a caller may do for somebody: never more than by itself.
 * @throws ContextloomError `invalid` for what is no principal
 */
export function narrowBy(principal: Principal, given: unknown, path: readonly string[]): Principal {
  const limit = parseInput(principalSchema, given, path);
  return { ...narrowPrincipal(principal, limit), name: `${principal.name} for ${limit.name}` };
}

/** The secret that servers of one installation share. */
export interface InstallationSecret {
  /** Signs a ticket of a minute for one of them. */
  readonly sign: (principal?: Principal) => Promise<string>;
  /** Who sent a ticket; undefined for what is no ticket of this installation. One that let a request in is good until it is answered. */
  readonly verify: (token: string, options?: { readonly isUnderWay?: boolean }) => Promise<Principal | undefined>;
}

/** Where the secret comes from: a setting, or a file that the first one to need it makes. */
export interface InstallationSecretOptions {
  readonly file: string;
  /** Wins over the file: for servers that do not share one, such as containers. */
  readonly secret?: string | undefined;
}

/** Opens the secret of the installation when it is first needed. */
export function createInstallationSecret({ file, secret }: InstallationSecretOptions): InstallationSecret {
  let known: Uint8Array | undefined;
  const read = (): Uint8Array => {
    known ??= secret === undefined ? readOrMake(file) : new TextEncoder().encode(secret);
    return known;
  };
  return {
    sign: (principal = { ...localPrincipal, name: INSTALLATION }) =>
      new SignJWT({ principal })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setIssuedAt()
        .setExpirationTime(LIFETIME)
        .sign(read()),
    verify: async (token, { isUnderWay = false } = {}) => {
      if (!isTicket(token)) return undefined;
      try {
        const { payload } = await jwtVerify(token, read(), {
          issuer: ISSUER,
          algorithms: ['HS256'],
          ...(isUnderWay && { clockTolerance: Number.MAX_SAFE_INTEGER }),
        });
        return principalSchema.parse(payload['principal']);
      } catch (cause) {
        throw new ContextloomError('unauthorized', 'the ticket of this installation is not valid any more', { cause });
      }
    },
  };
}

/** Looked at before it is verified: whose key a token is to be tried with. */
function isTicket(token: string): boolean {
  const [, payload = ''] = token.split('.', 2);
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))?.iss === ISSUER;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Two that make it at once get the same one: a file is put in its place by a link, which fails where there is one. */
function readOrMake(file: string): Uint8Array {
  try {
    return readSecret(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(fresh, 'wx', 0o600);
  writeSync(handle, randomBytes(32).toString('base64'));
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return readSecret(file);
}

function readSecret(file: string): Uint8Array {
  requireOwnReading(file, statSync(file).mode);
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (secret.length >= 32) return secret;
  throw new ContextloomError('invalid', `${file} must hold 32 random bytes in base64: remove it, and one is made`);
}

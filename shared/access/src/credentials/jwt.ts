import { ContextloomError } from '@contextloom/contracts';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { type AccessScope, accessScopes, type Principal } from '../principal/principal.ts';
import { withImplied } from './keys.ts';

/** Which tokens of an identity provider are taken. */
export interface JwtOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Found in the issuer's metadata without it. */
  readonly jwksUrl?: string | undefined;
  /** The claim that names the user, or several. */
  readonly userClaim: string;
  /** The claim that lists scopes, as a list or separated by spaces. */
  readonly scopeClaim: string;
  readonly fetch?: typeof fetch;
}

/** Signatures that need the issuer's private key; `none` and shared secrets are not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far the clocks may differ, in seconds. */
const CLOCK_TOLERANCE = 5;

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/u }) });

/** Checks tokens of an identity provider, whose keys are fetched, cached and fetched again when a new one signs. */
export function createJwtVerifier(options: JwtOptions): (token: string) => Promise<Principal> {
  const { issuer, audience } = options;
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const findKeys = (): Promise<JWTVerifyGetKey> => {
    keys ??= openKeys(options).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
  return async (token) => {
    const getKey = await findKeys();
    const verified = await jwtVerify(token, getKey, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_TOLERANCE,
    }).catch((cause: unknown) => {
      throw toRefusal(cause);
    });
    return toJwtPrincipal(verified.payload, options);
  };
}

function toRefusal(cause: unknown): ContextloomError {
  if (cause instanceof errors.JWKSTimeout || !(cause instanceof errors.JOSEError)) {
    return new ContextloomError('unavailable', 'the keys of the identity provider cannot be fetched', { cause });
  }
  const words = cause instanceof errors.JWTExpired ? 'has expired' : 'is not valid here';
  return new ContextloomError('unauthorized', `the token ${words}`, { cause });
}

async function openKeys({ issuer, jwksUrl, fetch: ask = fetch }: JwtOptions): Promise<JWTVerifyGetKey> {
  const url = jwksUrl ?? (await discover(issuer, ask));
  return createRemoteJWKSet(new URL(url));
}

/** Source: OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3. */
async function discover(issuer: string, ask: typeof fetch): Promise<string> {
  const base = new URL(issuer);
  const path = base.pathname.replace(/\/$/, '');
  const places = [
    new URL(`${path}/.well-known/openid-configuration`, base),
    new URL(`/.well-known/oauth-authorization-server${path}`, base),
  ];
  for (const place of places) {
    const response = await ask(place, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    const metadata =
      response?.ok === true ? metadataSchema.safeParse(await response.json().catch(() => undefined)) : undefined;
    if (metadata?.success === true && metadata.data.issuer === issuer) return metadata.data.jwks_uri;
  }
  throw new ContextloomError('unavailable', 'the metadata of AUTH_ISSUER cannot be read: set AUTH_JWKS_URL');
}

const textsOf = (claim: unknown): readonly string[] =>
  [claim].flat().filter((value): value is string => typeof value === 'string' && value !== '');

/** Whom a token speaks for: the users of its claim; an administrator reaches everybody. */
export function toJwtPrincipal(
  payload: JWTPayload,
  { userClaim, scopeClaim }: Pick<JwtOptions, 'userClaim' | 'scopeClaim'>,
): Principal {
  const given = textsOf(payload[scopeClaim]).flatMap((text) => text.split(' '));
  const scopes = withImplied(accessScopes.filter((scope: AccessScope) => given.includes(scope)));
  const users = textsOf(payload[userClaim]);
  const isAdmin = scopes.includes('admin');
  if (users.length === 0 && !isAdmin) {
    throw new ContextloomError('unauthorized', `the token must name its user in the claim ${userClaim}`);
  }
  return {
    name: `token ${payload.sub ?? users[0] ?? 'admin'}`,
    users: isAdmin ? 'all' : users,
    projects: isAdmin ? 'all' : [],
    scopes,
  };
}

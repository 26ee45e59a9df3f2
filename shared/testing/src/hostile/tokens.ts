import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What there is to imitate. */
export interface TokenTargets {
  /** A key that is taken. */
  readonly key: string;
  /** Keys that were taken once. */
  readonly old: readonly string[];
  /** The secret of the installation, as its file holds it. */
  readonly installationFile: string;
  /** A ticket of the installation. */
  readonly ticket: string;
  readonly issuer: string;
  readonly audience: string;
  /** The provider's own key, for tokens that are wrong in another way. */
  readonly signer: KeyObject;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const toJwt = (header: object, claims: object, toSignature: (text: string) => Buffer): string => {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${toSignature(text).toString('base64url')}`;
};

const NONE = (): Buffer => Buffer.alloc(0);
const HOUR = 3_600;

/** Tokens none of which may let anybody in. */
export function hostileTokens(targets: TokenTargets): readonly string[] {
  const { key, old, installationFile, ticket, issuer, audience, signer } = targets;
  const now = Math.floor(Date.now() / 1_000);
  const rs256 = (privateKey: KeyObject) => (text: string) => sign('RSA-SHA256', Buffer.from(text), privateKey);
  const hs256 = (secret: string | Buffer) => (text: string) => createHmac('sha256', secret).update(text).digest();
  const header = { alg: 'RS256', kid: 'one' };
  const claims = { iss: issuer, aud: audience, sub: 'root', scope: 'admin', exp: now + HOUR };
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const publicPem = stranger.publicKey.export({ type: 'spki', format: 'pem' });
  const installation = {
    iss: 'contextloom-house',
    principal: { name: 'house', users: 'all', projects: 'all', scopes: ['admin'] },
  };
  const houseSecret = Buffer.from(readFileSync(installationFile, 'utf8').trim(), 'base64');
  const [head = '', body = '', signature = ''] = ticket.split('.');
  return [
    ...old,
    ...[...key]
      .map((character, at) => `${key.slice(0, at)}${character === 'A' ? 'B' : 'A'}${key.slice(at + 1)}`)
      .filter((text) => text !== key),
    key.toUpperCase(),
    key.toLowerCase(),
    key.slice(0, -1),
    `${key}A`,
    `${key}.${key}.${key}`,
    `${key},${old[0] ?? ''}`,
    '',
    'null',
    'undefined',
    '.',
    '..',
    'clk_',
    '0',
    `${'A'.repeat(5_000)}`,
    // Of the installation: altered, over, signed by others, unsigned.
    ...[...signature]
      .map(
        (character, at) =>
          `${head}.${body}.${signature.slice(0, at)}${character === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`,
      )
      .slice(0, -1),
    toJwt({ alg: 'HS256' }, { ...installation, exp: now - 1 }, hs256(houseSecret)),
    toJwt({ alg: 'HS256' }, { ...installation, exp: now + HOUR }, hs256('a secret that everybody may know')),
    toJwt({ alg: 'HS512' }, { ...installation, exp: now + HOUR }, (text) =>
      createHmac('sha512', houseSecret).update(text).digest(),
    ),
    ...['none', 'None', 'NONE', ''].map((alg) => toJwt({ alg }, { ...installation, exp: now + HOUR }, NONE)),
    // Of the provider: for others, over, without an end, signed by others, unsigned, signed by what is public.
    toJwt(header, { ...claims, aud: 'others' }, rs256(signer)),
    toJwt(header, { ...claims, aud: undefined }, rs256(signer)),
    toJwt(header, { ...claims, iss: 'https://others.example' }, rs256(signer)),
    toJwt(header, { ...claims, exp: now - HOUR }, rs256(signer)),
    toJwt(header, { ...claims, exp: undefined }, rs256(signer)),
    toJwt(header, { ...claims, nbf: now + HOUR }, rs256(signer)),
    toJwt(header, claims, rs256(stranger.privateKey)),
    toJwt({ ...header, kid: 'two' }, claims, rs256(stranger.privateKey)),
    toJwt({ ...header, jwk: stranger.publicKey.export({ format: 'jwk' }) }, claims, rs256(stranger.privateKey)),
    toJwt({ ...header, jku: 'http://127.0.0.1:1/jwks' }, claims, rs256(stranger.privateKey)),
    toJwt({ alg: 'HS256', kid: 'one' }, claims, hs256(String(publicPem))),
    ...['none', 'None', 'nOnE'].map((alg) => toJwt({ alg }, claims, NONE)),
  ];
}

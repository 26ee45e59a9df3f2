import { join } from 'node:path';
import { databaseUrlSchema } from '@contextloom/postgres';
import { setting, userFolders, wholeNumber, yesOrNo } from '@contextloom/runtime';
import { z } from 'zod';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why an address cannot be the one under which a server is reached; undefined for one that can. */
function findFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an https address';
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return 'must begin with https://, since keys and tokens travel over it; http:// is for localhost alone';
  }
  const { pathname, search, hash, username, password } = url;
  if (pathname !== '/' || `${search}${hash}${username}${password}` !== '') {
    return 'must be an origin such as https://memory.example.org, without a path';
  }
  return undefined;
}

/** Reads the origin under which a server is reached, such as `https://memory.example.org`. */
const publicUrl = z
  .string()
  .superRefine((text, context) => {
    const message = findFault(text.trim());
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform((text) => new URL(text.trim()).origin);

const FOLDER = userFolders.data;
const address = z.url({ protocol: /^https?$/u, error: 'must be an http or https address' });

/** Who may call a server over HTTP. */
export const accessSettings = {
  keysFile: setting({
    env: ['CONTEXTLOOM_KEYS_FILE'],
    schema: z.string(),
    default: join(FOLDER, 'keys.json'),
    description:
      'The keys that callers over HTTP need, as "contextloom keys" writes them; without the file none is asked for',
  }),
  keysUrl: setting({
    env: ['CONTEXTLOOM_KEYS_URL'],
    schema: databaseUrlSchema,
    secret: true,
    description:
      'A Postgres database (15 or newer) that keeps keys, connections, limits and activity instead of files, for servers on several machines; keys and connections of the files are taken over',
  }),
  houseSecret: setting({
    env: ['CONTEXTLOOM_HOUSE_SECRET'],
    schema: z.string().min(32, 'must be at least 32 characters'),
    secret: true,
    description: 'By which servers of one installation know each other; a file next to the keys without it',
  }),
  authIssuer: setting({
    env: ['AUTH_ISSUER'],
    schema: z.union([z.literal('self'), address], { error: 'must be an http or https address, or "self"' }),
    description:
      'An identity provider whose tokens (JWT) are taken; needs AUTH_AUDIENCE. With "self" the aggregator is one itself; needs PUBLIC_URL',
  }),
  publicUrl: setting({
    env: ['PUBLIC_URL'],
    schema: publicUrl,
    description:
      'The https origin under which people and programs reach the aggregator behind a reverse proxy, such as https://memory.example.org',
  }),
  authAudience: setting({
    env: ['AUTH_AUDIENCE'],
    schema: z.string(),
    description: 'The audience that its tokens must be for',
  }),
  authJwksUrl: setting({
    env: ['AUTH_JWKS_URL'],
    schema: address,
    description: "Where its keys are; found in the issuer's metadata without it",
  }),
  authUserClaim: setting({
    env: ['AUTH_USER_CLAIM'],
    schema: z.string(),
    default: 'sub',
    description: 'The claim that names the user, or a list of them',
  }),
  authScopeClaim: setting({
    env: ['AUTH_SCOPE_CLAIM'],
    schema: z.string(),
    default: 'scope',
    description: 'The claim with the scopes read, write and admin',
  }),
  callsPerMinute: setting({
    env: ['RATE_LIMIT_PER_MINUTE'],
    schema: wholeNumber(1, 1_000_000),
    default: 6_000,
    description: 'How many HTTP requests a minute one key or token may send',
  }),
  concurrentCalls: setting({
    env: ['RATE_LIMIT_CONCURRENT'],
    schema: wholeNumber(1, 10_000),
    default: 256,
    description:
      'How many HTTP requests of one key or token are answered at once, and how many event streams it may have open',
  }),
  allowInsecure: setting({
    env: ['ALLOW_INSECURE'],
    flag: { name: 'insecure', type: 'boolean' },
    schema: yesOrNo,
    default: false,
    description: 'Whether others than this machine may be let in without keys, where something else keeps them out',
  }),
  auditFile: setting({
    env: ['CONTEXTLOOM_AUDIT_FILE'],
    schema: z.string(),
    description:
      'Where calls over HTTP are written down, a JSON line each; audit/<server>.jsonl next to the keys without it',
  }),
};

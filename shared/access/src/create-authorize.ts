import { existsSync } from 'node:fs';
import { openInstallationSecret } from './open-access.ts';

/** Makes the Authorization header of a call to another first-party server; undefined while no keys are required. */
export type Authorize = () => Promise<string | undefined>;

/** How a server shows who it is. */
export interface AuthorizeOptions {
  /** The keys of this installation, next to which its secret lies; without it no ticket is shown. */
  readonly keysFile?: string | undefined;
  readonly houseSecret?: string | undefined;
  /** A key of the other server, where the two share no secret. */
  readonly apiKey?: string | undefined;
}

/** How long a ticket is used again, in milliseconds: half of its life. */
const REUSE_MS = 30_000;

/** Shows a key where one is set, else a ticket of the installation once callers need keys. */
export function createAuthorize(options: AuthorizeOptions, now: () => number = Date.now): Authorize {
  const { apiKey, keysFile, houseSecret } = options;
  if (apiKey !== undefined) return () => Promise.resolve(`Bearer ${apiKey}`);
  if (keysFile === undefined) return () => Promise.resolve(undefined);
  const installation = openInstallationSecret({ keysFile, houseSecret });
  let ticket: { readonly text: Promise<string>; readonly until: number } | undefined;
  return async () => {
    if (houseSecret === undefined && !existsSync(keysFile)) return undefined;
    if (ticket === undefined || ticket.until < now()) ticket = { text: installation.sign(), until: now() + REUSE_MS };
    return `Bearer ${await ticket.text}`;
  };
}

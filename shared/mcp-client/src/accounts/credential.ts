import { ContextloomError, toInvalidError } from '@contextloom/contracts';
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { z } from 'zod';

/** What a login at a server's own authorization server left behind. */
export interface OAuthLogin {
  readonly redirectUrl: string;
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  readonly discovery?: OAuthDiscoveryState | undefined;
}

/** By what a server knows an account: headers over HTTP, variables over stdio, or a login. */
export type Credential =
  | { readonly kind: 'headers'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'oauth'; readonly login: OAuthLogin };

const storedSchema = z.object({
  server: z.string().min(1),
  /** Whose account it is; without it, the one of the server's entry. */
  user: z.string().min(1).optional(),
  kind: z.enum(['headers', 'env', 'oauth']),
  /** Another one for each credential that is set; the same one after its tokens were renewed. */
  revision: z.string().min(1),
  created_at: z.string(),
  sealed: z.string(),
});

const fileSchema = z.object({ version: z.literal(1), credentials: z.array(storedSchema) });

/** One credential as the file has it: what it is, sealed. */
export type StoredCredential = Readonly<z.output<typeof storedSchema>>;

/** Reads a file of credentials. @throws ContextloomError `invalid` for a file that holds something else */
export function parseCredentialFile(text: string, file: string): readonly StoredCredential[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} must be the JSON that "contextloom credentials" writes`, { cause });
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) throw toInvalidError(parsed.error, [file]);
  return parsed.data.credentials;
}

/** Writes a file of credentials. */
export const toCredentialFile = (credentials: readonly StoredCredential[]): string =>
  `${JSON.stringify({ version: 1, credentials }, null, 2)}\n`;

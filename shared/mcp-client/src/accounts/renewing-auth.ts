import { createHash } from 'node:crypto';
import { acquireFileLock } from '@contextloom/runtime';
import { type AuthProvider, auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { type AccountName, LoginAwayError, LoginNeededError } from '../login-needed.ts';
import type { OAuthLogin } from './credential.ts';
import type { CredentialStore, OpenedCredential } from './credential-store.ts';
import { createLoginFetch, createOAuthProvider } from './oauth-provider.ts';

/**
 * Shows the access token of a login, and renews it where the server refuses it. Processes do so one after the other.
 * @param clientSecret the secret of the client that logged in, where it has one
 */
export function createRenewingAuth(
  store: CredentialStore,
  account: AccountName,
  clientSecret: string | undefined,
): AuthProvider {
  let shown: string | undefined;
  let renewing: Promise<void> | undefined;
  const toToken = (): string | undefined => toLogin(store.find(account))?.tokens?.access_token;

  async function renew(refused: string | undefined, serverUrl: URL, response: Response): Promise<void> {
    const { server, user = '' } = account;
    const name = createHash('sha256').update(`${server}\0${user}`).digest('hex').slice(0, 16);
    const unlock = await acquireFileLock(`${store.file}.${name}.lock`);
    try {
      const found = store.find(account);
      const login = toLogin(found);
      if (found === undefined || login === undefined) throw new LoginNeededError(account);
      if (login.tokens?.access_token !== refused) return; // Another process was first.
      const loginFetch = createLoginFetch();
      const provider = createOAuthProvider({
        login,
        clientSecret,
        save: (next) => store.renew(account, { ...found, credential: { kind: 'oauth', login: next } }),
        onRedirect: () => {
          // The SDK asks a person too where the server that renews is merely away.
          const cause = loginFetch.outage();
          throw cause === undefined ? new LoginNeededError(account) : new LoginAwayError(account, cause);
        },
      });
      const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
      await auth(provider, {
        serverUrl,
        fetchFn: loginFetch.fetch,
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      });
    } finally {
      await unlock();
    }
  }

  return {
    token: async () => {
      shown = toToken();
      return shown;
    },
    onUnauthorized: async ({ serverUrl, response }) => {
      const refused = shown;
      if (toToken() !== refused) return;
      renewing ??= renew(refused, serverUrl, response).finally(() => {
        renewing = undefined;
      });
      await renewing;
    },
  };
}

function toLogin(found: OpenedCredential | undefined): OAuthLogin | undefined {
  return found?.credential.kind === 'oauth' ? found.credential.login : undefined;
}

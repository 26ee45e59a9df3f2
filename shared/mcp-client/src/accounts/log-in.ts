import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { auth } from '@modelcontextprotocol/client';
import type { OAuthLogin } from './credential.ts';
import { createLoginFetch, createOAuthProvider } from './oauth-provider.ts';

/** What logging in at a server's authorization server needs. */
export interface LogInOptions {
  readonly serverUrl: string;
  readonly scope?: string | undefined;
  /** A client that was registered there before; one is registered without it. */
  readonly clientId?: string | undefined;
  /** The secret of that client, where it has one. */
  readonly clientSecret?: string | undefined;
  /** The port that the browser comes back to, on 127.0.0.1; any free one without it. */
  readonly port?: number | undefined;
  /** Takes a person to this address. */
  readonly onUrl: (url: URL) => void;
  readonly signal: AbortSignal;
}

const CALLBACK = '/callback';
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Contextloom</title><p>You are logged in. You can close this page.</p>';
const REFUSED_PAGE =
  '<!doctype html><meta charset="utf-8"><title>Contextloom</title><p>The login failed. The terminal says why.</p>';

/**
 * Logs a person in (OAuth 2.1: discovery, registration, PKCE) with a callback on 127.0.0.1 that takes one answer.
 * @throws ContextloomError `unavailable` where the server asks for no login or refuses it, `unauthorized` where the person does
 */
export async function logIn(options: LogInOptions): Promise<OAuthLogin> {
  const { serverUrl, scope, clientId, clientSecret, onUrl, signal } = options;
  const callback = await listenForCallback(options.port ?? 0);
  try {
    let login: OAuthLogin = {
      redirectUrl: callback.url,
      ...(clientId !== undefined && { client: { client_id: clientId } }),
    };
    const save = (next: OAuthLogin): void => {
      login = next;
    };
    const onRedirect = (url: URL): void => onUrl(requireSafeAddress(url, serverUrl));
    const provider = createOAuthProvider({ login, scope, clientSecret, save, onRedirect });
    const answer = callback.wait(provider.expectedState, signal); // From before a browser can come back.
    answer.catch(() => undefined); // The login may fail first, and says why itself.
    const loginFetch = createLoginFetch();
    const whole = { serverUrl, fetchFn: loginFetch.fetch };
    const none = `${serverUrl} has no authorization server that lets this program log in`;
    await orRefused(auth(provider, { ...whole, ...(scope !== undefined && { scope }) }), () => none);
    const { code, iss, show } = await answer;
    const exchanged = auth(provider, { ...whole, authorizationCode: code, ...(iss !== undefined && { iss }) });
    const away = `the authorization server of ${serverUrl} does not answer now: try again`;
    await orRefused(exchanged, () => (loginFetch.outage() === undefined ? none : away)).catch(
      async (error: unknown) => {
        await show(false);
        throw error;
      },
    );
    await show(true);
    return login;
  } finally {
    callback.close();
  }
}

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);

/** What opens an address may start any program for a scheme: only pages of the web are opened, and plain HTTP on this machine alone. */
function requireSafeAddress(url: URL, serverUrl: string): URL {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url;
  const found = `${url.protocol}//${url.host}`;
  throw new ContextloomError('unavailable', `${serverUrl} wants a login at ${found}: only https addresses are opened`);
}

/** Says in words of this program why a login failed. */
async function orRefused<T>(work: Promise<T>, toMessage: () => string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (isContextloomError(cause)) throw cause;
    throw new ContextloomError('unavailable', toMessage(), { cause });
  }
}

interface Answer {
  readonly code: string;
  readonly iss: string | undefined;
  /** Ends the page that waits in the browser. */
  readonly show: (isLoggedIn: boolean) => Promise<void>;
}

type Come = Pick<Answer, 'show'> & { readonly params: URLSearchParams };

async function showPage(response: ServerResponse, status: number, page: string): Promise<void> {
  if (response.destroyed) return; // The browser did not wait.
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.end(page, resolve);
  });
}

/** Waits on 127.0.0.1 for the browser to come back. */
async function listenForCallback(port: number) {
  const answers: { take?: ((come: Come) => boolean) | undefined } = {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || url.pathname !== CALLBACK) return void showPage(response, 404, '');
    const show = (isLoggedIn: boolean): Promise<void> =>
      showPage(response, isLoggedIn ? 200 : 502, isLoggedIn ? PAGE : REFUSED_PAGE);
    // Whether somebody is logged in is known once the code was exchanged: until then the browser waits.
    if (answers.take?.({ params: url.searchParams, show }) !== true) void showPage(response, 400, REFUSED_PAGE);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK}`,
    wait: (state: string, signal: AbortSignal): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const stop = () =>
          reject(new ContextloomError('unavailable', 'nobody logged in before this command was ended'));
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        answers.take = ({ params, show }) => {
          // An answer to another question: anybody can call this address.
          if (params.get('state') !== state) return false;
          const code = params.get('code');
          if (code === null) {
            reject(new ContextloomError('unauthorized', 'the authorization server did not let you in'));
            return false;
          }
          answers.take = undefined;
          resolve({ code, iss: params.get('iss') ?? undefined, show });
          return true;
        };
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

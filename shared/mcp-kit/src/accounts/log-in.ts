import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContextloomError } from '@contextloom/contracts';
import { auth } from '@modelcontextprotocol/client';
import type { OAuthLogin } from './credential.ts';
import { createOAuthProvider, fetchForLogin } from './oauth-provider.ts';

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
    const provider = createOAuthProvider({ login, scope, clientSecret, save, onRedirect: onUrl });
    const answer = callback.wait(provider.expectedState, signal); // From before a browser can come back.
    answer.catch(() => undefined); // The login may fail first, and says why itself.
    await orRefused(
      auth(provider, { serverUrl, fetchFn: fetchForLogin, ...(scope !== undefined && { scope }) }),
      serverUrl,
    );
    const { code, iss } = await answer;
    await orRefused(
      auth(provider, { serverUrl, fetchFn: fetchForLogin, authorizationCode: code, ...(iss !== undefined && { iss }) }),
      serverUrl,
    );
    return login;
  } finally {
    callback.close();
  }
}

async function orRefused<T>(work: Promise<T>, serverUrl: string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ContextloomError(
      'unavailable',
      `${serverUrl} has no authorization server that lets this program log in`,
      {
        cause,
      },
    );
  }
}

interface Answer {
  readonly code: string;
  readonly iss: string | undefined;
}

/** Waits on 127.0.0.1 for the browser to come back. */
async function listenForCallback(port: number) {
  const answers: { take?: (params: URLSearchParams) => boolean } = {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isAnswer = request.method === 'GET' && url.pathname === CALLBACK;
    const isTaken = isAnswer && answers.take?.(url.searchParams) === true;
    response.writeHead(isTaken ? 200 : isAnswer ? 400 : 404, {
      'content-type': 'text/html; charset=utf-8',
      connection: 'close',
    });
    response.end(isTaken ? PAGE : isAnswer ? REFUSED_PAGE : '');
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
        answers.take = (params) => {
          // An answer to another question: anybody can call this address.
          if (params.get('state') !== state) return false;
          const code = params.get('code');
          if (code === null) {
            reject(new ContextloomError('unauthorized', 'the authorization server did not let you in'));
            return false;
          }
          resolve({ code, iss: params.get('iss') ?? undefined });
          return true;
        };
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ContextloomError } from '@contextloom/contracts';

/** A request on its way to the provider. */
export interface Forwarded {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** What a connection says of itself alone, and what is this proxy's own. Source: RFC 9110, section 7.6.1. */
const OWN_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
  'accept-encoding',
]);

/** The headers of a request as the provider gets them: without this proxy's own, and in bytes that can be read on the way back. */
export function toProviderHeaders(
  headers: IncomingMessage['headers'],
  providerKey: string | undefined,
): Readonly<Record<string, string | readonly string[]>> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] =>
      entry[1] !== undefined &&
      !OWN_HEADERS.has(entry[0]) &&
      !named.includes(entry[0]) &&
      !entry[0].startsWith('contextloom-'),
  );
  const passed = { ...Object.fromEntries(kept), 'accept-encoding': 'identity' };
  return providerKey === undefined ? passed : withKey(passed, providerKey);
}

/** The key of the provider where the caller's stood, which is one of this proxy: clients of Anthropic's API show it in a header of its own. */
function withKey(headers: Readonly<Record<string, string | readonly string[]>>, providerKey: string) {
  const { authorization: _shown, 'x-api-key': shownTo, ...others } = headers;
  const isAnthropic = shownTo !== undefined || others['anthropic-version'] !== undefined;
  return { ...others, ...(isAnthropic ? { 'x-api-key': providerKey } : { authorization: `Bearer ${providerKey}` }) };
}

/** The headers of an answer as the client gets them, in the order and spelling of the provider. */
export function toClientHeaders(rawHeaders: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  const ofConnection = new Set([
    'connection',
    'keep-alive',
    'transfer-encoding',
    'proxy-connection',
    'upgrade',
    'trailer',
  ]);
  return pairs.filter(([name]) => !ofConnection.has(name.toLowerCase()));
}

/**
 * Sends a request to the provider, and answers with what comes back as soon as its headers are there. Nothing is followed, decoded or
 * sent again.
 * @throws ContextloomError `unavailable` where the provider cannot be reached
 */
export function forward({ method, url, headers, body, signal }: Forwarded): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length =
    body.length > 0 || !['GET', 'HEAD', 'DELETE'].includes(method) ? { 'content-length': body.length } : {};
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers: { ...Object(headers), ...length }, signal }, resolve);
    outgoing.once('error', (cause) => {
      reject(new ContextloomError('unavailable', `the provider at ${url.origin} cannot be reached`, { cause }));
    });
    outgoing.end(body);
  });
}

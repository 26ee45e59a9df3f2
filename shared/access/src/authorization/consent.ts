import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { userIdSchema } from '@contextloom/contracts';
import type { Client, Provider } from 'oidc-provider';
import { type Keyring, toKeyPrincipal } from '../credentials/keys.ts';
import type { StoredKey } from '../credentials/stored-key.ts';
import { onlyReached } from '../principal/principal.ts';
import { toAccountId } from './account.ts';
import type { ConnectionStore } from './connection-store.ts';
import { sendConsent } from './consent-page.ts';
import { connectionScopes } from './load-provider.ts';
import type { Resources } from './resources.ts';
import { type ConsentError, toTexts } from './texts.ts';

/** What letting a program in works with. */
export interface ConsentOptions {
  readonly provider: Provider;
  readonly store: ConnectionStore;
  readonly keyring: Keyring;
  readonly resources: Resources;
  /** The server's name, for keys that are for some servers alone. */
  readonly server: string;
  /** Counts a wrong key of an address. @throws ContextloomError `rate_limited` */
  readonly refuse: (address: string) => Promise<void>;
  readonly toAddress: (request: IncomingMessage) => string;
  readonly clock: () => Date;
}

type ConnectionScope = (typeof connectionScopes)[number];

/** What a program asked for. */
interface AccessRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly resources: readonly string[];
  readonly scopes: readonly ConnectionScope[];
}

const MAX_NAME = 60;

/** A program's name as it may stand on the page and in logs: a line of visible characters, whatever it says. */
export function toShownName(client: Pick<Client, 'clientId' | 'clientName'>): string {
  const name = (client.clientName ?? '').normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
  const shown = [...name.replace(/\s+/g, ' ').trim()].slice(0, MAX_NAME).join('');
  return shown === '' ? client.clientId.slice(0, MAX_NAME) : shown;
}

const MAX_FORM_BYTES = 8_192;

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  if (!isForm || !(length <= MAX_FORM_BYTES)) return undefined;
  return new URLSearchParams(await text(request));
}

/** Whom a key lets a program in for, or what is wrong with what the person entered. */
function readPerson(key: StoredKey | undefined, named: string): { readonly user: string } | ConsentError {
  if (key === undefined) return 'key';
  const { users } = toKeyPrincipal(key);
  const user = userIdSchema.safeParse(named === '' ? onlyReached(users) : named);
  if (!user.success || (users !== 'all' && !users.includes(user.data))) return 'user';
  return { user: user.data };
}

/** Answers the page where a person signs in with their key and lets a program in, or not. */
export function createConsent(
  options: ConsentOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { toAddress } = options;
  return async (request, response) => {
    const accessRequest = await readRequest(options, request, response);
    const { client, redirectUri, scopes } = accessRequest;
    const publisher = URL.canParse(client.clientId) ? new URL(client.clientId).host : undefined;
    const view = { client: toShownName(client), publisher, redirectUri, scopes };
    const texts = toTexts(request.headers['accept-language']);
    if (request.method !== 'POST') return sendConsent(response, texts, view);
    const form = (await readForm(request)) ?? new URLSearchParams();
    const decided = await decide(options, { form, accessRequest, address: toAddress(request) });
    if (typeof decided === 'string') {
      return sendConsent(response, texts, { ...view, user: form.get('user') ?? '', error: decided });
    }
    await options.provider.interactionFinished(request, response, decided, { mergeWithLastSubmission: false });
  };
}

async function readRequest(
  { provider, resources: { find } }: ConsentOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<AccessRequest> {
  const { params } = await provider.interactionDetails(request, response);
  const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = params;
  const client = await provider.Client.find(String(clientId));
  if (client === undefined) throw new Error('the program is not registered any more');
  const words = String(scope).split(' ');
  const resources = [resource ?? []].flat();
  // What is requested is shown as far as it is to be had.
  const isOffered = (one: string): boolean => resources.some((address) => find(address)?.scopes.includes(one));
  const scopes = connectionScopes.filter((one) => words.includes(one) && isOffered(one));
  return { client, redirectUri: String(redirectUri), resources, scopes };
}

interface Submitted {
  readonly form: URLSearchParams;
  readonly accessRequest: AccessRequest;
  readonly address: string;
}

/** What the person decided, for the provider; or what is wrong. */
async function decide(
  options: ConsentOptions,
  { form, accessRequest, address }: Submitted,
): Promise<object | ConsentError> {
  const { keyring, server, refuse } = options;
  if (form.get('decision') !== 'allow') return { error: 'access_denied', error_description: 'the person said no' };
  const key = keyring.find(form.get('key')?.trim() ?? '', server);
  const person = readPerson(key, form.get('user')?.trim() ?? '');
  if (key === undefined || person === 'key') {
    return refuse(address).then(
      () => 'key' as const,
      () => 'often' as const,
    );
  }
  if (typeof person === 'string') return person;
  const isAny = accessRequest.scopes.some((scope) => toKeyPrincipal(key).scopes.includes(scope));
  return isAny ? allow(options, accessRequest, { key, user: person.user }) : 'scope';
}

interface Person {
  readonly key: StoredKey;
  readonly user: string;
}

async function allow(
  { provider, store, clock }: ConsentOptions,
  { client, redirectUri, resources, scopes }: AccessRequest,
  { key, user }: Person,
): Promise<object> {
  const accountId = toAccountId({ keyHash: key.hash, userId: user });
  const granted = scopes.filter((scope) => toKeyPrincipal(key).scopes.includes(scope));
  const refused = scopes.filter((scope) => !granted.includes(scope));
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  for (const resource of resources) {
    grant.addResourceScope(resource, granted.join(' '));
    grant.rejectResourceScope(resource, refused.join(' '));
  }
  grant.rejectOIDCScope([...connectionScopes, 'offline_access', 'openid'].join(' '));
  const grantId = await grant.save();
  await store.add({
    id: grantId,
    client_id: client.clientId,
    client_name: toShownName(client),
    redirect_host: new URL(redirectUri).host || new URL(redirectUri).protocol,
    user_id: user,
    key_name: key.name,
    key_hash: key.hash,
    scopes: granted,
    created_at: clock().toISOString(),
  });
  return { login: { accountId, remember: false }, consent: { grantId } };
}

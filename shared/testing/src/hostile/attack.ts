import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessSettings, addKey, createAuthorize, openAccess, PRINCIPAL_HEADER, revokeKey } from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createMcpEndpoint, type HttpApi, listenHttp, type ServerFactory } from '@contextloom/server-kit';
import fc from 'fast-check';
import { type HostileCall, type HostileCallsOptions, hostileCalls } from './calls.ts';
import { hostileTokens } from './tokens.ts';
import { forgedPrincipals } from './values.ts';

/** A server that holds what the caller must not see. */
export interface AttackedServer<Deps> extends HostileCallsOptions<Deps> {
  readonly name: string;
  readonly factory: ServerFactory;
  readonly api: HttpApi;
  readonly scope: 'user' | 'project';
  /** Stands in all that is somebody else's, and in nothing that is asked. */
  readonly secret: string;
}

/** What came of an attack. */
export interface AttackReport {
  readonly attempts: number;
  /** Attempts that were answered with something else than an error: as many were worth making. */
  readonly answered: number;
  /** What was revealed, or let in, that must not be. */
  readonly leaks: readonly string[];
}

const AUDIENCE = 'contextloom';
/** A seed of its own for what is tried, so that a leak can be tried again. */
const SEED = 20_261_122;
/** One attempt in so many comes with the session of somebody else, one with a forged header, and as many more with wrong tokens. */
const EVERY = 10;

/** Attacks a server through its own endpoint, with a key of one user or project, so many times. */
export async function attack<Deps>(server: AttackedServer<Deps>, attempts: number): Promise<AttackReport> {
  const opened = await openAttacked(server);
  const leaks: string[] = [];
  let answered = 0;
  const calls = fc.sample(hostileCalls(server), { numRuns: attempts, seed: SEED });
  try {
    const session = await begin(opened.url, opened.key);
    const others = await begin(opened.url, opened.other);
    const forged = await Promise.all(
      forgedPrincipals(server).map(async (principal) => {
        const claim = JSON.stringify(principal);
        return { claim, session: await begin(opened.url, opened.key, claim) };
      }),
    );
    const tries = toTries(calls, { ...opened, session, others, forged });
    for (const { call, papers, refusal } of tries) {
      const response = await send(opened.url, call, papers);
      const text = await response.text();
      if ((refusal !== undefined && response.status !== refusal) || text.includes(server.secret))
        leaks.push(`${JSON.stringify({ call, token: papers.token })}: ${response.status} ${text.slice(0, 300)}`);
      else if (response.ok && !text.includes('"error"') && !text.includes('"isError":true')) answered += 1;
    }
  } finally {
    await opened.close();
  }
  return { attempts, answered, leaks };
}

/** A call, with what it comes, and the status that has to refuse it whatever it asks for. */
interface Try {
  readonly call: HostileCall;
  readonly papers: Papers;
  readonly refusal?: number;
}

/** What attempts come with: tokens that are none, the caller's key and session, a foreign session, forged headers. */
interface Forgeries {
  readonly key: string;
  readonly tokens: readonly string[];
  readonly session: string;
  readonly others: string;
  readonly forged: readonly Omit<Papers, 'token'>[];
}

function toTries(calls: readonly HostileCall[], { key, tokens, session, others, forged }: Forgeries): readonly Try[] {
  // However few the attempts are, each wrong token is tried.
  const strangers = Math.max(tokens.length, Math.ceil(calls.length / EVERY));
  const withWrongTokens = Array.from({ length: strangers }, (_, at): readonly Try[] => {
    const [call, token] = [calls[at % calls.length], tokens[at % tokens.length]];
    return call === undefined || token === undefined ? [] : [{ call, papers: { token, session }, refusal: 401 }];
  });
  const withTheKey = calls.map((call, at): Try => {
    if (at % EVERY === 1 && call.kind === 'mcp') return { call, papers: { token: key, session: others }, refusal: 404 };
    const forgery = at % EVERY === 2 ? forged[Math.floor(at / EVERY) % forged.length] : undefined;
    return { call, papers: { token: key, session, ...forgery } };
  });
  return [...withWrongTokens.flat(), ...withTheKey];
}

/** An identity provider with one key, that nobody has a token of. */
async function startProvider() {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, signer: pair.privateKey, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function openAttacked<Deps>({ name, factory, api, scope, own }: AttackedServer<Deps>) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-hostile-'));
  const file = join(folder, 'keys.json');
  const options = { file, clock: () => new Date() };
  const reach = (id: string) => (scope === 'user' ? { users: [id] } : { projects: [id] });
  const add = async (called: string, more: object): Promise<string> =>
    (await addKey({ name: called, scopes: ['read', 'write'], ...more }, options)).key;
  const key = await add('own', reach(own));
  const other = await add('other', {});
  const old = [await add('revoked', {}), await add('expired', { expires_at: '2000-01-01T00:00:00Z' })];
  const elsewhere = await add('elsewhere', { servers: ['elsewhere'] });
  await revokeKey('revoked', options);
  const { issuer, signer, close } = await startProvider();
  const settings = {
    CONTEXTLOOM_KEYS_FILE: file,
    AUTH_ISSUER: issuer,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: `${issuer}/jwks`,
  };
  const config = readSettings(accessSettings, settings).values;
  const access = openAccess({ config, server: name, clock: () => new Date(), log: silentLog });
  const mcp = createMcpEndpoint(factory, { log: silentLog });
  // Wrong tokens come by the hundred here: that they are slowed down is tested elsewhere.
  const guarded = { ...access, guard: { ...access.guard, limiter: undefined } };
  const endpoint = await listenHttp(api, {
    mcp,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    access: guarded,
    log: silentLog,
  });
  const ticket = ((await createAuthorize({ keysFile: file })()) ?? '').replace('Bearer ', '');
  const targets = {
    key,
    old: [...old, elsewhere],
    installationFile: join(folder, 'house.key'),
    ticket,
    issuer,
    audience: AUDIENCE,
    signer,
  };
  return {
    url: endpoint.url,
    key,
    other,
    tokens: hostileTokens(targets),
    close: async () => {
      await endpoint.close();
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

/** With what a request comes. */
interface Papers {
  readonly token: string;
  readonly session?: string | undefined;
  /** For whom it says that it is sent. */
  readonly claim?: string | undefined;
}

const toHeaders = ({ token, session, claim }: Papers): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  ...(session !== undefined && { 'mcp-session-id': session }),
  ...(claim !== undefined && { [PRINCIPAL_HEADER]: claim }),
});

async function begin(url: string, token: string, claim?: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hostile', version: '0' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: toHeaders({ token, claim }), body });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

function send(url: string, call: HostileCall, { session, ...papers }: Papers) {
  if (call.kind === 'rest')
    return fetch(`${url}${call.request.path}`, { ...call.request.init, headers: toHeaders(papers) });
  return fetch(`${url}/mcp`, { method: 'POST', headers: toHeaders({ ...papers, session }), body: call.text });
}

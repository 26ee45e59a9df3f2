import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal, SubjectKind } from '@contextloom/access';
import { accessSettings, openAccess } from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import type { Operation, ServerFactory } from '@contextloom/server-kit';
import { createMcpEndpoint, type HttpApi, listenHttp } from '@contextloom/server-kit';
import { type Caller, callers, makeKeys, type Owners, toExpected, type Verdict } from './authorization/callers.ts';
import {
  callsOf,
  type RestRequest,
  routeCallsOf,
  spoil,
  type TriedCall,
  toRequest,
  toRouteRequest,
} from './authorization/calls.ts';
import { readingsOf, toReadingVerdict } from './authorization/resources.ts';
import { connectInMemory, connectOverFetch, connectOverHttp, type TestClient } from './test-client.ts';

/** A server whose rights are tried out. */
export interface TriedServer<Deps> {
  readonly name: string;
  /** All that it has, over MCP and REST. */
  readonly operations: readonly Operation<Deps>[];
  /** Those of them that are tools; all without it. */
  readonly tools?: readonly Operation<Deps>[];
  readonly factory: ServerFactory;
  readonly api: HttpApi;
  /** The user, and the project, that examples are about and the bound key reaches. */
  readonly own: Owners;
  /** Of which kind the one owner of all that the server has is, where it has one. */
  readonly serves?: SubjectKind;
}

/** What came of all calls. */
export interface AuthorizationReport {
  readonly cells: number;
  /** The calls that were answered otherwise than the caller's rights say, in words. */
  readonly wrong: readonly string[];
}

/** Where a call is made. */
interface Endpoint {
  readonly url: string;
  readonly keys: Readonly<Record<Caller, string>>;
  /** Whom the endpoint takes each caller for; those that it turns away are missing. */
  readonly principals: ReadonlyMap<Caller, Principal>;
}

/** Notes whether a cell of the matrix is as it must be. */
type Judge = (where: string, caller: Caller, call: Pick<TriedCall, 'target'>, verdict: Verdict) => void;

const eras = ['2025-11-25', '2026-07-28'] as const;

/**
 * Makes every call that a server allows, as every kind of caller, over MCP of both eras and REST, and compares the answers with the
 * callers' rights: each operation by each place where an owner can be named, each other route, each prompt, resource and subscription
 * that names an owner, and each list of tools. A call that is allowed may still fail for another reason, such as an unknown id.
 */
export async function tryAuthorization<Deps>(tried: TriedServer<Deps>): Promise<AuthorizationReport> {
  const wrong: string[] = [];
  let cells = 0;
  const judge: Judge = (where, caller, { target }, verdict) => {
    cells += 1;
    const expected = toExpected(target, caller);
    if (verdict !== expected) wrong.push(`${where} by ${caller}: ${verdict}, not ${expected}`);
  };
  await withEndpoint(tried, async (endpoint) => {
    await tryRest(tried, endpoint, judge);
    for (const era of eras) await tryMcp(tried, { endpoint, era }, judge);
  });
  return { cells, wrong };
}

/** Opens the server's own endpoint, with a key for each caller. */
async function withEndpoint<Deps>(
  tried: TriedServer<Deps>,
  work: (endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-rights-'));
  const file = join(folder, 'keys.json');
  const keys = await makeKeys(file, tried.own);
  const { values } = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: file });
  const access = openAccess({ config: values, server: tried.name, clock: () => new Date(), log: silentLog });
  const mcp = createMcpEndpoint(tried.factory, { log: silentLog });
  // Wrong keys come thousandfold here: that they are slowed down is tested elsewhere.
  const guard = { ...access.guard, limiter: undefined };
  const address = { mcp, host: '127.0.0.1', port: 0, allowedHosts: [], log: silentLog };
  const endpoint = await listenHttp(tried.api, { ...address, access: { ...access, guard } });
  try {
    const principals = new Map<Caller, Principal>();
    for (const caller of callers) {
      const url = new URL(`${endpoint.url}/mcp`);
      const client = await connectOverHttp(url, eras[0], toHeaders(keys[caller])).catch(() => undefined);
      if (client !== undefined) principals.set(caller, await guard.identify(`Bearer ${keys[caller]}`));
      await client?.close();
    }
    await work({ url: endpoint.url, keys, principals });
  } finally {
    await endpoint.close();
    await rm(folder, { recursive: true });
  }
}

const toHeaders = (key: string): Record<string, string> => (key === '' ? {} : { Authorization: `Bearer ${key}` });
const verdicts: Readonly<Record<number, Verdict>> = { 401: 'unauthorized', 403: 'forbidden' };

async function tryRest<Deps>(
  { operations, api, own, serves }: TriedServer<Deps>,
  { url, keys }: Endpoint,
  judge: Judge,
): Promise<void> {
  const tryAs = async (caller: Caller, call: TriedCall, request: RestRequest): Promise<void> => {
    const headers = { ...request.init.headers, ...toHeaders(keys[caller]) };
    const response = await fetch(`${url}${request.path}`, { ...request.init, headers });
    await response.arrayBuffer();
    judge(`REST ${call.name}, ${call.place}`, caller, call, verdicts[response.status] ?? 'allowed');
  };
  for (const operation of operations) {
    for (const call of callsOf(operation, own, serves)) {
      const request = toRequest(operation, call.args);
      for (const caller of callers) if (request !== undefined) await tryAs(caller, call, request);
    }
  }
  const known = operations.map(({ route }) => `${route?.method} ${route?.path}`);
  for (const route of api.guardedRoutes.filter(({ method, path }) => !known.includes(`${method} ${path}`))) {
    for (const call of routeCallsOf(route, own)) {
      // Whose data it is about, where no parameter says it, is known to its own code alone.
      const isKnown = (caller: Caller): boolean =>
        call.target.kind !== undefined || toExpected(call.target, caller) !== 'allowed';
      for (const caller of callers.filter(isKnown)) await tryAs(caller, call, toRouteRequest(route, call.args));
    }
  }
}

/** The endpoint says who a caller is; the same server says what it may do, without a socket between. */
async function tryMcp<Deps>(
  { operations, tools = operations, factory, own, serves }: TriedServer<Deps>,
  { endpoint, era }: { readonly endpoint: Endpoint; readonly era: (typeof eras)[number] },
  judge: Judge,
): Promise<void> {
  const connect = (principal?: Principal): Promise<TestClient> =>
    era === '2025-11-25' ? connectInMemory(factory, principal) : connectOverFetch(factory, era, principal);
  const everything = await connect();
  const readings = serves === undefined ? await readingsOf(everything.client, own) : [];
  await everything.close();
  const calls = tools.flatMap((tool) => {
    const plain = callsOf(tool, own, serves);
    return [...plain, ...spoil(tool, plain)];
  });
  for (const caller of callers) {
    const principal = endpoint.principals.get(caller);
    const client = principal === undefined ? undefined : await connect(principal);
    for (const call of calls) {
      const verdict = client === undefined ? 'unauthorized' : await askTool(client, call);
      judge(`${era} ${call.name}, ${call.place}`, caller, call, verdict);
    }
    for (const { name, target, ask } of readings) {
      const verdict = client === undefined ? 'unauthorized' : await toReadingVerdict(ask(client.client));
      judge(`${era} ${name}`, caller, { target }, verdict);
    }
    if (client !== undefined) await tryLists({ client, tools, caller, era }, judge);
    await client?.close();
  }
}

async function askTool(client: TestClient, { name, args }: TriedCall): Promise<Verdict> {
  const code = await client.codeOf(name, args).catch(() => undefined);
  return code === 'forbidden' ? 'forbidden' : 'allowed';
}

interface Listing<Deps> {
  readonly client: TestClient;
  readonly tools: readonly Operation<Deps>[];
  readonly caller: Caller;
  readonly era: string;
}

/** A tool that the caller may not call is not listed either. */
async function tryLists<Deps>({ client, tools, caller, era }: Listing<Deps>, judge: Judge): Promise<void> {
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  for (const { name, requires } of tools) {
    const target = { requires, kind: undefined, names: 'nobody', isOptional: true, serves: undefined } as const;
    judge(`${era} list of tools, ${name}`, caller, { target }, listed.includes(name) ? 'allowed' : 'forbidden');
  }
}

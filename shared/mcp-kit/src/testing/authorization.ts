import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey, revokeKey } from '../access/manage-keys.ts';
import { openAccess } from '../access/open-access.ts';
import type { AccessScope } from '../access/principal.ts';
import { accessSettings } from '../access/settings.ts';
import type { HttpApi } from '../http/index.ts';
import { createMcpEndpoint, openDoor } from '../http/index.ts';
import { silentLog } from '../log.ts';
import type { Operation } from '../operation/operation.ts';
import type { ServerFactory } from '../server-factory.ts';
import { readSettings } from '../settings.ts';
import { connectOverHttp, type TestClient } from './test-client.ts';

/** A server whose rights are tried out. */
export interface TriedServer<Deps> {
  readonly name: string;
  readonly operations: readonly Operation<Deps>[];
  readonly factory: ServerFactory;
  readonly api: HttpApi;
  /** The user, or the project, that examples are about and the bound key reaches. */
  readonly own: { readonly user: string; readonly project: string };
}

/** What came of all calls. */
export interface AuthorizationReport {
  readonly cells: number;
  /** The calls that were answered otherwise than the caller's rights say, in words. */
  readonly wrong: readonly string[];
}

type Caller = 'none' | 'wrong' | 'expired' | 'revoked' | 'reader' | 'own' | 'other' | 'admin';
type Verdict = 'unauthorized' | 'forbidden' | 'allowed';

const OTHER = 'somebody-else';

/** Writes an id into a place such as `documents.*.metadata.user_id`. */
function withId(value: unknown, [step, ...rest]: readonly string[], id: string): unknown {
  if (step === undefined) return id;
  if (step === '*') return Array.isArray(value) ? value.map((item) => withId(item, rest, id)) : value;
  const record = Object(value) as Record<string, unknown>;
  return { ...record, [step]: withId(record[step], rest, id) };
}

/** What a caller's rights say of an operation. */
function expectedOf<Deps>({ requires, subject }: Operation<Deps>, caller: Caller, isForeign: boolean): Verdict {
  if (caller === 'none' || caller === 'wrong' || caller === 'expired' || caller === 'revoked') return 'unauthorized';
  if (caller === 'reader' && requires !== 'read') return 'forbidden';
  if ((caller === 'own' || caller === 'other') && requires === 'admin') return 'forbidden';
  if (caller === 'other' && subject !== undefined) return 'forbidden';
  return isForeign && caller === 'own' ? 'forbidden' : 'allowed';
}

interface Call {
  readonly operation: string;
  readonly caller: Caller;
  readonly place: string;
  readonly expected: Verdict;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Every operation × every caller × every place where an id can be named; made of the operations alone. */
function callsOf<Deps>({ operations, own }: TriedServer<Deps>): readonly Call[] {
  const callers: readonly Caller[] = ['none', 'wrong', 'expired', 'revoked', 'reader', 'own', 'other', 'admin'];
  return operations.flatMap((operation) => {
    const { name, subject, example } = operation;
    const input = Object(example?.input ?? {}) as Record<string, unknown>;
    const ownId = subject === undefined ? '' : own[subject.kind];
    const places = subject?.places ?? [];
    const named = [
      { place: 'nowhere', args: input, isForeign: false },
      ...places.flatMap((place) => [
        { place: `${place} (own)`, args: withId(input, place.split('.'), ownId), isForeign: false },
        { place, args: withId(input, place.split('.'), OTHER), isForeign: true },
      ]),
    ];
    return callers.flatMap((caller) =>
      named
        // The key for somebody else is tried with the places where the owner stands.
        .filter(
          ({ isForeign, place }) => caller !== 'other' || subject === undefined || (!isForeign && place !== 'nowhere'),
        )
        .map(({ place, args, isForeign }) => ({
          operation: name,
          caller,
          place,
          args: args as Record<string, unknown>,
          expected: expectedOf(operation, caller, isForeign),
        })),
    );
  });
}

async function makeKeys(file: string, { user, project }: TriedServer<unknown>['own']): Promise<Record<Caller, string>> {
  const options = { file, clock: () => new Date() };
  const add = async (name: string, scopes: readonly AccessScope[], more: object = {}): Promise<string> =>
    (await addKey({ name, scopes, ...more }, options)).key;
  const both: readonly AccessScope[] = ['read', 'write'];
  const keys = {
    none: '',
    wrong: 'clk_wrong',
    expired: await add('expired', both, { expires_at: '2000-01-01T00:00:00Z' }),
    revoked: await add('revoked', both),
    reader: await add('reader', ['read']),
    own: await add('own', both, { users: [user], projects: [project] }),
    other: await add('other', both, { users: ['yet-another'], projects: ['yet-another'] }),
    admin: await add('admin', ['admin']),
  };
  await revokeKey('revoked', options);
  return keys;
}

/** Reads a verdict off an answer over MCP; what the protocol refuses with 401 never reaches an operation. */
async function askOverMcp(client: TestClient, { operation, args }: Call): Promise<Verdict> {
  try {
    return (await client.codeOf(operation, args)) === 'forbidden' ? 'forbidden' : 'allowed';
  } catch (error) {
    return String(error).includes('401') ? 'unauthorized' : 'allowed';
  }
}

/** An operation's call as a request of its route. */
function toRequest<Deps>(
  { route }: Operation<Deps>,
  args: Call['args'],
): { path: string; init: RequestInit } | undefined {
  if (route === undefined) return undefined;
  const { method, names = {}, query: inQuery = [] } = route;
  const left = new Map(Object.entries(args));
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => {
    const field = names[name] ?? name;
    const value = left.get(field);
    left.delete(field);
    return encodeURIComponent(String(value));
  });
  const hasBody = !['get', 'delete'].includes(method);
  const query = new URLSearchParams();
  for (const [field, value] of [...left]) {
    if (hasBody && !inQuery.includes(field)) continue;
    left.delete(field);
    for (const item of [value].flat()) query.append(field, String(item));
  }
  const init = hasBody
    ? {
        method: method.toUpperCase(),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(left)),
      }
    : { method: method.toUpperCase() };
  return { path: `${path}?${query}`, init };
}

const verdicts: Readonly<Record<number, Verdict>> = { 401: 'unauthorized', 403: 'forbidden' };

/** Reads a verdict off an answer over REST; undefined for an operation that has no route. */
async function askOverRest<Deps>(
  url: string,
  operation: Operation<Deps>,
  { args, key }: { args: Call['args']; key: string },
) {
  const request = toRequest(operation, args);
  if (request === undefined) return undefined;
  const headers = { ...request.init.headers, ...(key !== '' && { authorization: `Bearer ${key}` }) };
  const response = await fetch(`${url}${request.path}`, { ...request.init, headers });
  await response.arrayBuffer();
  return verdicts[response.status] ?? 'allowed';
}

/**
 * Makes every call that the operations of a server allow, as every kind of caller, over MCP of both eras and REST, and compares the
 * answers with the callers' rights. A call that is allowed may still fail for another reason, such as an unknown id.
 */
export async function tryAuthorization<Deps>(tried: TriedServer<Deps>): Promise<AuthorizationReport> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-rights-'));
  const file = join(folder, 'keys.json');
  const keys = await makeKeys(file, tried.own);
  const { values } = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: file, RATE_LIMIT_PER_MINUTE: '1000000' });
  const access = openAccess({ config: values, server: tried.name, clock: () => new Date(), log: silentLog });
  const mcp = createMcpEndpoint(tried.factory, { log: silentLog });
  // Wrong keys come thousandfold here: that they are slowed down is tested elsewhere.
  const guard = { ...access.guard, limiter: undefined };
  const door = await openDoor(tried.api, {
    ...{ mcp, host: '127.0.0.1', port: 0, allowedHosts: [], log: silentLog },
    access: { ...access, guard },
  });
  const wrong: string[] = [];
  let cells = 0;
  const judge = (door: string, call: Call, verdict: Verdict | undefined): void => {
    if (verdict === undefined) return;
    cells += 1;
    if (verdict === call.expected) return;
    wrong.push(`${door} ${call.operation} by ${call.caller}, ${call.place}: ${verdict}, not ${call.expected}`);
  };
  try {
    for (const call of callsOf(tried)) {
      const operation = tried.operations.find(({ name }) => name === call.operation) as Operation<Deps>;
      judge('REST', call, await askOverRest(door.url, operation, { args: call.args, key: keys[call.caller] }));
    }
    for (const era of ['2025-11-25', '2026-07-28']) {
      for (const caller of Object.keys(keys) as Caller[]) {
        const calls = callsOf(tried).filter((call) => call.caller === caller);
        const headers: Record<string, string> = caller === 'none' ? {} : { Authorization: `Bearer ${keys[caller]}` };
        const client = await connectOverHttp(new URL(`${door.url}/mcp`), era, headers).catch(() => undefined);
        for (const call of calls) {
          judge(era, call, client === undefined ? 'unauthorized' : await askOverMcp(client, call));
        }
        await client?.close();
      }
    }
  } finally {
    await door.close();
    await rm(folder, { recursive: true });
  }
  return { cells, wrong };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@contextloom/access';
import { type CredentialStore, logIn } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { loadAggregatorConfig } from '../../src/config.ts';
import { type OpenAggregator, openAggregator } from '../../src/open-aggregator.ts';
import { type AccountUpstream, startAccountUpstream } from './account-upstream.ts';
import { openTestStore } from './credentials.ts';
import { only } from './gateway.ts';
import { type ConfidentialClient, type OAuthServer, startOAuthServer } from './oauth-server.ts';

/** The aggregator in front of one server that has accounts, and an authorization server. */
export interface AccountGateway {
  readonly folder: string;
  readonly oauth: OAuthServer;
  readonly wiki: AccountUpstream;
  readonly store: CredentialStore;
  /** Opens the aggregator, its entry of the server having these fields too; again, in place of the one before. */
  readonly open: (entry: object) => Promise<void>;
  /** A client that calls as a user; in memory, or over HTTP in a revision. */
  readonly connect: (user: string | Principal, revision?: string) => Promise<TestClient>;
  /** Sets the key of an account: `key-of-<user>` is one of ann, bob and house. */
  readonly setKey: (user: string | undefined, key: string) => Promise<unknown>;
  /** Logs a user in, and sets what comes of it. Answers the status of the last page that the browser saw. */
  readonly setLogin: (user: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Starts all but the aggregator. The secret of `client`, where logins need one, stands in the environment as `CLIENT_SECRET`. */
export async function startAccountGateway(client?: ConfidentialClient): Promise<AccountGateway> {
  const keys = new Map(['ann', 'bob', 'house'].map((user) => [`key-of-${user}`, user]));
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-accounts-'));
  const oauth = await startOAuthServer(client);
  const userOf = (token: string): string | undefined => keys.get(token) ?? oauth.userOf(token);
  const wiki = await startAccountUpstream({ issuer: oauth.issuer, userOf });
  const store = openTestStore(folder);
  const clients: TestClient[] = [];
  let aggregator: OpenAggregator | undefined;
  return {
    folder,
    oauth,
    wiki,
    store,
    open: async (entry) => {
      await aggregator?.close();
      const file = join(folder, 'mcp_config.json');
      await writeFile(file, JSON.stringify({ mcpServers: { wiki: { url: wiki.address, ...entry } } }));
      const load = () =>
        loadAggregatorConfig({
          env: { CLIENT_SECRET: client?.clientSecret },
          file,
          ownFile: join(folder, 'server.js'),
        });
      const shared = { log: silentLog, version: '0', intervalMs: 10 };
      aggregator = await openAggregator({ ...shared, file, load, credentials: store });
    },
    connect: async (user, revision) => {
      if (aggregator === undefined) throw new Error('the aggregator is not open');
      const principal = typeof user === 'string' ? only(user) : user;
      const client = await (revision === undefined
        ? connectInMemory(aggregator.all, principal)
        : connectOverFetch(aggregator.all, revision, principal));
      clients.push(client);
      return client;
    },
    setKey: (user, key) =>
      store.set({ server: 'wiki', user }, { kind: 'headers', values: { Authorization: `Bearer ${key}` } }),
    setLogin: async (user) => {
      const pages: Promise<number>[] = [];
      const onUrl = (url: URL): void => void pages.push(oauth.logIn(url, user));
      const asked = { ...client, serverUrl: wiki.address, onUrl, signal: AbortSignal.timeout(60_000) };
      const login = await logIn(asked).catch(async (error: Error) => {
        throw new Error(`${error.message} (page: ${(await pages[0]) ?? 'none'})`, { cause: error });
      });
      await store.set({ server: 'wiki', user }, { kind: 'oauth', login });
      return (await pages[0]) ?? 0;
    },
    close: async () => {
      for (const client of clients) await client.close();
      await aggregator?.close();
      await Promise.all([wiki.close(), oauth.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** The tools of the server that a client sees. */
export const listForeign = async (client: TestClient): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('wiki__'));

/** What a mixed run came to. */
export interface MixedRun {
  readonly calls: number;
  /** Answers of the account of the other. */
  readonly wrong: number;
  /** Requests over a session of the other. */
  readonly mixed: number;
  readonly replayed: number;
  readonly refreshed: number;
}

/** Two users with three clients each call at once, 50 calls a round; between rounds tokens end, and sessions are lost. */
export async function callMixed(gateway: AccountGateway, rounds: number): Promise<MixedRun> {
  const { oauth, wiki } = gateway;
  await gateway.setLogin('ann');
  await gateway.setLogin('bob');
  await gateway.open({ credentials: 'caller' });
  const callers: { readonly user: string; readonly client: TestClient }[] = [];
  for (const user of ['ann', 'bob']) {
    for (const revision of [undefined, '2025-11-25', '2026-07-28'])
      callers.push({ user, client: await gateway.connect(user, revision) });
  }
  const ask = async (client: TestClient, at: number): Promise<string> => {
    if (at % 3 === 0) return (await client.callTool('wiki__whoami')).text;
    return at % 3 === 1 ? client.readText('me://now') : client.getPrompt('wiki__greet');
  };
  let [calls, wrong] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4 === 1) oauth.expire();
    if (round % 4 === 3) wiki.forget();
    const asked = Array.from({ length: 50 }, async (_, at) => {
      const caller = callers[(at * 7 + round) % callers.length];
      if (caller === undefined) return;
      calls += 1;
      if ((await ask(caller.client, at)) !== caller.user) wrong += 1;
    });
    await Promise.all(asked);
  }
  return { calls, wrong, mixed: wiki.mixed(), ...oauth.counts };
}

import { unwatchFile, watchFile } from 'node:fs';
import type { Access } from '@contextloom/access';
import {
  type CredentialStore,
  createAccounts,
  createAvailability,
  createCallTimes,
  createChildWatch,
  createConnectionPool,
  createLimits,
  createUpstreams,
  type Embed,
  type ServerEntries,
} from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import type { Reached, Readiness, ServerFactory } from '@contextloom/server-kit';
import { createChatServers } from './build-chat-server.ts';
import { createAggregatorGateway } from './build-gateway.ts';
import { createAggregatorServer, createOperationDeps } from './build-server.ts';
import { type CheckCompositionOptions, checkComposition, createTrialUpstreams } from './check-composition.ts';
import type { AggregatorConfig, loadAggregatorConfig } from './config.ts';
import { openLiveConfig } from './live-config.ts';
import { SERVICE_NAME } from './operations/deps.ts';

/** What the aggregator is opened with. */
export interface OpenAggregatorOptions {
  /** The composition, absolute. */
  readonly file: string;
  /** Reads it. @throws ContextloomError where it cannot be used */
  readonly load: () => ReturnType<typeof loadAggregatorConfig>;
  /** Whether the composition is held against its servers first, which starts those that context sources name; true by default. */
  readonly isChecked?: boolean;
  /** Accounts at other servers. */
  readonly credentials: CredentialStore;
  /** How often the files are looked at, in milliseconds. */
  readonly intervalMs?: number;
  /** The user of the profile `chat`; by the caller's key without it. */
  readonly userId?: string | undefined;
  /** Where days begin: an IANA time zone, `UTC` by default. */
  readonly zone?: string;
  /** Runs servers of this installation in this process; without it each gets a process of its own. */
  readonly embed?: Embed | undefined;
  /** Who may call over HTTP, and who did; absent over stdio. */
  readonly access?: Access | undefined;
  readonly version: string;
  readonly log: Log;
}

/** The aggregator over its composition. */
export interface OpenAggregator {
  /** The operations of the profile `app`. */
  readonly own: ServerFactory;
  /** These, those of a chat, and what is exposed of the upstreams. */
  readonly all: ServerFactory;
  /** The tools of a model that speaks with one user. */
  readonly chat: ServerFactory;
  /** Two tools that read, as ChatGPT's connectors name them. */
  readonly connector: ServerFactory;
  /** What a load balancer reads. */
  readonly toReadiness: () => Readiness;
  readonly close: () => Promise<void>;
}

/**
 * Opens the aggregator over the servers of a composition, and follows the file.
 * @throws ContextloomError for a composition that cannot be used, or that names what its servers do not have
 */
export async function openAggregator(options: OpenAggregatorOptions): Promise<OpenAggregator> {
  const { credentials, intervalMs = 500, log, version, embed, userId, zone = 'UTC', access } = options;
  const live = await openLiveConfig({ ...options, intervalMs });
  const accounts = createAccounts(credentials, log);
  let seen = accounts.version();
  const toOwnServers = () => accounts.toServers(live.now().servers, undefined);
  const childWatch = createChildWatch();
  const reach = createAvailability();
  const times = createCallTimes();
  const client = {
    limits: createLimits(),
    reach,
    times,
    childWatch,
    embed,
    log,
    clientName: SERVICE_NAME,
    clientVersion: version,
  };
  const upstreams = createUpstreams({ ...client, servers: toOwnServers() });
  const shared = { upstreams, log, version };
  const described = { ...shared, access, times, zone, toSettings: live.now, toConfigurationStatus: live.toStatus };
  const deps = createOperationDeps(described);
  const own = createAggregatorServer(described, deps);
  const { chat, connector, whole } = createChatServers({ deps, userId, zone, version, toServers: upstreams.names });
  const update = (): void => {
    upstreams.update(toOwnServers());
    gateway.update();
  };
  const lookAtAccounts = (): void => {
    const now = accounts.version();
    if (now === seen) return;
    seen = now;
    update();
  };
  const pool = createConnectionPool(() => live.now().connections);
  const parts: CheckCompositionOptions = {
    ...shared,
    own: whole,
    accounts,
    openFor: (can, servers, owner) =>
      createUpstreams({ ...client, ...can, servers, pool: { connections: pool, owner } }),
  };
  const gateway = createAggregatorGateway({ ...parts, toSettings: live.now, beforeCall: lookAtAccounts });
  const check = async (next: AggregatorConfig, signal: AbortSignal): Promise<void> => {
    const openFor = (servers: ServerEntries) =>
      createUpstreams({ ...client, servers: accounts.toServers(servers, undefined) });
    const trial = createTrialUpstreams({ current: live.now(), next, upstreams, openFor });
    await checkComposition(next, { ...parts, upstreams: trial }, signal).finally(trial.close);
  };
  const close = async (): Promise<void> => {
    const watching = live.close();
    unwatchFile(credentials.file, lookAtAccounts);
    await Promise.all([gateway.close(), upstreams.close()]);
    await watching;
  };
  try {
    if (options.isChecked !== false) await checkComposition(live.now(), parts);
  } catch (error) {
    await close();
    throw error;
  }
  live.watch({ check, onChange: update });
  // Connections of an account that was taken away are closed without waiting for a call.
  watchFile(credentials.file, { interval: intervalMs, persistent: false }, lookAtAccounts);
  const toReached = (server: string): Reached => {
    const isReached = reach.of(server);
    return isReached === undefined ? 'unused' : isReached ? 'up' : 'away';
  };
  const toReadiness = (): Readiness => ({
    configuration: live.toStatus()?.status ?? 'current',
    upstreams: Object.fromEntries(Object.keys(live.now().servers).map((server) => [server, toReached(server)])),
  });
  return { own, all: gateway.factory, chat, connector, toReadiness, close };
}

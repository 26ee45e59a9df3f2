import { dirname, join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Log, SettingValues } from '@contextloom/runtime';
import type { Authorization } from './authorization/authorization.ts';
import { type Activity, openActivity } from './calls/activity.ts';
import { type Audit, createAudit } from './calls/audit.ts';
import { createLimiter } from './calls/limits.ts';
import type { CallMetrics } from './calls/metrics.ts';
import { createSharedActivity } from './calls/shared-activity.ts';
import { createSharedCounter } from './calls/shared-counts.ts';
import { createInstallationSecret, type InstallationSecret } from './credentials/installation-secret.ts';
import { createJwtVerifier } from './credentials/jwt.ts';
import type { KeyDatabase } from './credentials/key-database.ts';
import { createKeyring } from './credentials/keys.ts';
import type { KeyFileOptions } from './credentials/manage-keys.ts';
import type { Guard } from './guard.ts';
import { createIdentify, type Identify, type IdentifyOptions, isAuthRequired } from './identify.ts';
import { localPrincipal, type Principal } from './principal/principal.ts';
import type { accessSettings } from './settings.ts';

/** The settings of who may call. */
export type AccessConfig = SettingValues<typeof accessSettings>;

/** What an endpoint is opened with. */
export interface Access {
  readonly guard: Omit<Guard, 'log'>;
  readonly audit: Audit;
  /** The newest calls that were written down. */
  readonly activity: Activity;
  /** Where the keys are. */
  readonly keys: Pick<KeyFileOptions, 'file' | 'database'>;
  readonly metrics?: CallMetrics | undefined;
  readonly protectedResource?: object | undefined;
  /** The authorization server of this installation, where this server is it. */
  readonly authorization?: Authorization | undefined;
  /** Where people reach this server, without a slash at the end; undefined where that is not set. */
  readonly publicUrl?: string | undefined;
  /** Closes what the keys are read from, and where calls are written down. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** What opens it. */
export interface AccessOptions {
  readonly config: AccessConfig;
  /** The server's name, for keys that are for some servers alone. */
  readonly server: string;
  /** The principal of every caller while authentication is off. */
  readonly local?: Principal;
  /** Why this server can keep no callers apart, where it cannot: it serves nobody as soon as keys are required. */
  readonly openToAll?: string | undefined;
  /** Counts what is written down, and what is turned away. */
  readonly metrics?: CallMetrics | undefined;
  /** The authorization server of this installation, where this server is it. */
  readonly authorization?: Authorization | undefined;
  /** The keys, where they are in a database; it is closed with the endpoint. */
  readonly keyDatabase?: KeyDatabase | undefined;
  readonly clock: () => Date;
  readonly log: Log;
}

/** The file of the secret that the servers of one installation share, next to the keys. */
export function openInstallationSecret({
  keysFile,
  houseSecret,
}: Pick<AccessConfig, 'keysFile' | 'houseSecret'>): InstallationSecret {
  return createInstallationSecret({ file: join(dirname(keysFile), 'house.key'), secret: houseSecret });
}

/**
 * Opens what stands in front of a server's HTTP endpoint: keys, tokens, limits, the audit log.
 * @throws ContextloomError `invalid` for half an identity provider, a file of keys that cannot be read, or keys in front of a server
 * that keeps no callers apart
 */
export function openAccess(options: AccessOptions): Access {
  const {
    config,
    server,
    clock,
    log,
    local = localPrincipal,
    openToAll,
    metrics,
    authorization,
    keyDatabase,
  } = options;
  const keyring = createKeyring({ file: config.keysFile, database: keyDatabase, clock });
  const parts: IdentifyOptions = {
    server,
    keyring,
    installation: openInstallationSecret(config),
    verifyJwt: toVerifier(config),
    verifyOwn: authorization?.verify,
    isClosed: config.authIssuer === 'self',
    local,
  };
  const isRequired = (): boolean => isAuthRequired(parts);
  requireReadable(isRequired);
  if (openToAll !== undefined && isRequired()) throw new ContextloomError('invalid', openToAll);
  const auditFile = config.auditFile ?? join(dirname(config.keysFile), 'audit', `${server}.jsonl`);
  const { activity, counter, close } = openCalls(options, auditFile);
  return {
    guard: {
      identify: refuseOpen(openToAll, isRequired, createIdentify(parts)),
      isAuthRequired: isRequired,
      limiter: createLimiter(config, counter),
      ...(metrics !== undefined && { onRefused: metrics.countRefused }),
      toMetadataUrl: authorization?.toMetadataUrl ?? toForeignMetadata(config),
    },
    audit: counted(createAudit({ file: auditFile, clock, log, onLine: activity.note }), metrics),
    activity,
    keys: { file: config.keysFile, database: keyDatabase },
    metrics,
    ...(isForeign(config) && { protectedResource: toProtectedResource(config) }),
    authorization,
    publicUrl: config.publicUrl,
    close,
  };
}

/** What is known of calls: at all servers of this name where they share a database, else at this one. */
function openCalls({ keyDatabase, server, log }: AccessOptions, auditFile: string) {
  if (keyDatabase === undefined) return { activity: openActivity(auditFile) };
  const { database } = keyDatabase;
  const activity = createSharedActivity({ database, server, log });
  const close = async (): Promise<void> => {
    await activity.close();
    await keyDatabase.close();
  };
  return { activity, counter: createSharedCounter({ database, server }), close };
}

/** Whether another identity provider gives tokens. */
const isForeign = ({ authIssuer }: AccessConfig): boolean => authIssuer !== undefined && authIssuer !== 'self';

/** Source: RFC 9728, section 3.1. */
function toForeignMetadata(config: AccessConfig): Guard['toMetadataUrl'] {
  if (!isForeign(config)) return undefined;
  return (_path, host) => `${config.publicUrl ?? `http://${host}`}/.well-known/oauth-protected-resource`;
}

/** What is written down is counted too. */
function counted(audit: Audit, metrics: CallMetrics | undefined): Audit {
  if (metrics === undefined) return audit;
  return {
    ...audit,
    write: (entry) => {
      metrics.countCall(entry.operation, entry.outcome);
      audit.write(entry);
    },
  };
}

/** The first key may be made while the server runs. */
function refuseOpen(openToAll: string | undefined, isAuthRequired: () => boolean, identify: Identify): Identify {
  if (openToAll === undefined) return identify;
  return (authorization, options) => {
    if (isAuthRequired()) throw new ContextloomError('unavailable', openToAll);
    return identify(authorization, options);
  };
}

/** The operator learns what is wrong with the file; callers do not. */
function requireReadable(isAuthRequired: () => boolean): void {
  try {
    isAuthRequired();
  } catch (error) {
    throw isContextloomError(error) && error.cause !== undefined ? error.cause : error;
  }
}

function toVerifier(config: AccessConfig): ReturnType<typeof createJwtVerifier> | undefined {
  const { authIssuer: issuer, authAudience: audience } = config;
  if (issuer === undefined || issuer === 'self') return undefined;
  if (audience === undefined) {
    throw new ContextloomError('invalid', 'AUTH_ISSUER needs AUTH_AUDIENCE: tokens for other servers are not taken', {
      field: 'AUTH_AUDIENCE',
    });
  }
  const { authJwksUrl: jwksUrl, authUserClaim: userClaim, authScopeClaim: scopeClaim } = config;
  return createJwtVerifier({ issuer, audience, jwksUrl, userClaim, scopeClaim });
}

/** Source: RFC 9728, section 2. */
function toProtectedResource({ authIssuer, authAudience }: AccessConfig): object {
  return {
    resource: authAudience,
    authorization_servers: [authIssuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['read', 'write', 'admin'],
  };
}

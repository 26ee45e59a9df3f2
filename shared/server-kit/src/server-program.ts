import type { Access, AccessConfig, Authorization, KeyDatabase } from '@contextloom/access';
import type { StoreUpkeep } from '@contextloom/contracts';
import type { Embed } from '@contextloom/mcp-client';
import type {
  CommandContext,
  CommandDefinition,
  EntryFile,
  Flag,
  Job,
  Log,
  Settings,
  SettingValues,
} from '@contextloom/runtime';
import type { Check } from './checks.ts';
import type { HttpApi } from './http/api.ts';
import type { Readiness } from './http/ready-route.ts';
import type { ServerFactory } from './server/server-factory.ts';

/** What a server's parts are built from. */
export interface BuildContext<S extends Settings> extends CommandContext<S> {
  /** Who may call over HTTP; absent over stdio. */
  readonly access?: Access | undefined;
  /** Runs other first-party servers in this process, where that was requested. */
  readonly embed?: Embed | undefined;
}

/** What a server is, built. */
export interface BuiltServer {
  readonly factory: ServerFactory;
  /** Other servers of the same process, by name: each is served at `/mcp/<name>` with `--http`. */
  readonly at?: Readonly<Record<string, ServerFactory>>;
  /** Served next to `/mcp` with `--http`; without it only whether the server runs, and whether it is ready. */
  readonly api?: HttpApi;
  /** The answer at `/ready`, where there is no `api` of its own. */
  readonly toReadiness?: () => Readiness;
  /** The folder of a built page, served at `/` with `--http` where it is built. */
  readonly site?: string;
  readonly close?: () => Promise<void>;
  /** Logged when it listens, such as where its data is. */
  readonly about?: object;
}

/** Where a server listens. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** The settings that say so, for the message that the port cannot be had, such as `KB_PORT, KB_HOST`. */
  readonly setBy?: string;
}

/** What an authorization server is opened with. */
export interface AuthorizationOptions {
  readonly config: AccessConfig;
  readonly server: string;
  /** The keys, where they are in a database. */
  readonly keyDatabase?: KeyDatabase | undefined;
  readonly clock: () => Date;
  readonly log: Log;
}

/** A server's outermost layer as data. */
export interface ServerProgram<S extends Settings> extends EntryFile {
  readonly version: string;
  readonly summary: string;
  readonly settings: S;
  readonly flags?: Readonly<Record<string, Flag>>;
  /** Reads the file that settings may stand in. */
  readonly readConfigFile?: CommandDefinition<S>['readConfigFile'];
  readonly build: (context: BuildContext<S>) => BuiltServer | Promise<BuiltServer>;
  /** Where `--http` without a port of its own listens. */
  readonly address?: (config: SettingValues<S>) => HttpAddress;
  /** Whether it serves HTTP alone, at its address: then it has no `--http` and no `--host`. */
  readonly isHttpOnly?: boolean;
  /** Why it can keep no callers apart, where it cannot: over HTTP it serves nobody as soon as keys are required. */
  readonly openToAll?: (config: SettingValues<S>) => string | undefined;
  /** Opens the authorization server of this installation, where the settings ask for one and this server is it. */
  readonly openAuthorization?: (options: AuthorizationOptions) => Promise<Authorization | undefined>;
  /** Work that the flag of the same name asks for instead of serving. */
  readonly jobs?: Readonly<Record<string, Job<S>>>;
  /** The stores that the settings name, for `--stores`; none is opened. */
  readonly stores?: (context: BuildContext<S>) => readonly StoreUpkeep[] | Promise<readonly StoreUpkeep[]>;
  /** Tries out what the server needs, for `--check`; each by `runCheck`, so that all end in time. */
  readonly checks?: (context: BuildContext<S>) => Promise<readonly Check[]>;
}

/** What an entry file gives a program that must not take it from the process itself. */
export interface Runtime {
  readonly clock: () => Date;
  readonly newId: () => string;
}

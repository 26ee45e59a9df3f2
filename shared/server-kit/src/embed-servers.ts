import type { Principal } from '@contextloom/access';
import { accessSettings } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import type { Embed } from '@contextloom/mcp-client';
import { findInstalledService, toServerEnvironment } from '@contextloom/mcp-client';
import type { Environment, Settings, SettingValues } from '@contextloom/runtime';
import { commonSettings, createLog, type Log, readCommand, toLogName, toUsage } from '@contextloom/runtime';
import type { Transport } from '@modelcontextprotocol/client';
import { loadMask, privacySettings } from './privacy/privacy.ts';
import { readOnlyFlag, serveOver, toPrincipal } from './serve-over.ts';
import { withMask } from './server/server-factory.ts';
import type { BuiltServer, ServerProgram } from './server-program.ts';

/** What a server in this process is started with, in the place of a command line and an environment of its own. */
export interface EmbeddedStart {
  readonly args: readonly string[];
  readonly env: Environment;
  /** Runs the servers that it starts itself in this process too. */
  readonly embed: Embed;
}

interface OpenedServer {
  readonly built: BuiltServer;
  readonly principal: Principal;
  readonly log: Log;
}

/** Opens a server in this process. @throws ContextloomError as its own program would end with */
export type EmbeddableServer = (start: EmbeddedStart) => Promise<OpenedServer>;

/** Makes a server embeddable; its program is loaded when it is first needed. */
export const toEmbeddable =
  <S extends Settings>(load: () => Promise<ServerProgram<S>>): EmbeddableServer =>
  async (start) =>
    openEmbedded(await load(), start);

async function openEmbedded<S extends Settings>(
  program: ServerProgram<S>,
  { args, env, embed }: EmbeddedStart,
): Promise<OpenedServer> {
  const { name, version, summary, readConfigFile } = program;
  const command = {
    usage: toUsage(program),
    summary,
    version,
    readConfigFile,
    flags: { ...program.flags, ...readOnlyFlag },
    settings: { ...program.settings, ...commonSettings, ...privacySettings, ...accessSettings },
  };
  const given = readCommand({ argv: ['node', name, ...args], env, stdout: { write: () => true } }, command);
  if (given === undefined) {
    throw new ContextloomError('invalid', `${name} serves nothing with ${args.join(' ')}: leave that out of its entry`);
  }
  const { flags } = given;
  const config = given.config as SettingValues<S> & SettingValues<typeof commonSettings & typeof privacySettings>;
  const log = createLog({ name: toLogName(program), level: config.logLevel });
  const mask = await loadMask(config, name);
  const built = await program.build({ config, flags, log, env, embed });
  return { built: { ...built, factory: withMask(built.factory, mask) }, principal: toPrincipal(flags), log };
}

/** What servers are run in this process with. */
export interface EmbedOptions {
  /** By the names of their services. */
  readonly servers: Readonly<Record<string, EmbeddableServer>>;
  /** The folder that this process works in. An entry with another one gets a process of its own. */
  readonly cwd: string;
}

/**
 * Runs servers of this installation in this process, as their entries say: the same flags, settings and data. Connections to
 * entries that are equal share one server, which is closed with the last of them.
 */
export function createEmbed({ servers, cwd }: EmbedOptions): Embed {
  const share = createSharing();
  const embed: Embed = (entry) => {
    const service = entry.cwd === cwd ? findInstalledService(entry) : undefined;
    const open = service === undefined ? undefined : servers[service];
    if (open === undefined) return undefined;
    const start = { args: entry.args.slice(1), env: toServerEnvironment(entry), embed };
    return async (transport) => serve(await share(JSON.stringify([service, start]), () => open(start)), transport);
  };
  return embed;
}

interface Lease {
  readonly opened: OpenedServer;
  readonly release: () => Promise<void>;
}

async function serve({ opened, release }: Lease, transport: Transport): Promise<() => Promise<void>> {
  const { built, principal, log } = opened;
  const handle = serveOver(built.factory, { transport, principal, log });
  return async () => {
    await handle.close();
    await release();
  };
}

/** Opens the value of a key once for all who use it at the same time. */
function createSharing() {
  const shared = new Map<string, { readonly opening: Promise<OpenedServer>; users: number }>();
  const leaving = new Map<string, Promise<void>>();
  return async (key: string, open: () => Promise<OpenedServer>): Promise<Lease> => {
    // A folder that two servers cannot use at once is free before the next one opens it.
    const opening = shared.get(key)?.opening ?? (leaving.get(key) ?? Promise.resolve()).then(open);
    const own = shared.get(key) ?? { opening, users: 0 };
    shared.set(key, own);
    own.users += 1;
    const release = async (): Promise<void> => {
      own.users -= 1;
      if (own.users > 0) return;
      shared.delete(key);
      const closed = opening.then(closeServer, () => undefined); // Those who waited for it have the reason.
      leaving.set(key, closed);
      await closed;
      if (leaving.get(key) === closed) leaving.delete(key);
    };
    try {
      return { opened: await opening, release };
    } catch (error) {
      await release();
      throw error;
    }
  };
}

async function closeServer({ built, log }: OpenedServer): Promise<void> {
  await built.close?.().catch((cause: unknown) => log.error({ cause }, 'closing failed'));
}

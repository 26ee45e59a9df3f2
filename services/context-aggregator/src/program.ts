import { dirname, resolve } from 'node:path';
import { type Authorization, accessSettings } from '@contextloom/access';
import {
  installedComposition,
  openCredentialStore,
  ownComposition,
  readEnvFile,
  withEnvFile,
} from '@contextloom/mcp-client';
import { type Environment, type FlagValues, readSettings, type SettingValues } from '@contextloom/runtime';
import type { AuthorizationOptions, Check, ServerProgram } from '@contextloom/server-kit';
import { flags, forUser, loadAggregatorConfig, parseProfile, settings } from './config.ts';
import { openAggregator } from './open-aggregator.ts';
import { SERVICE_NAME } from './operations/deps.ts';
import { version } from './version.ts';

/** Loaded where it is requested: SQLite and the provider are a third of what a start costs. */
async function openOwnAuthorization(options: AuthorizationOptions): Promise<Authorization | undefined> {
  if (options.config.authIssuer !== 'self') return undefined;
  return (await import('@contextloom/access/authorization')).openAuthorization(options);
}

/** What `doctor` says of the authorization server, where the settings ask for one. */
function checkAuthorization(env: Environment): readonly Check[] {
  const { authIssuer, publicUrl } = accessSettings;
  const { values } = readSettings({ authIssuer, publicUrl }, env);
  if (values.authIssuer !== 'self') return [];
  const name = 'authorization';
  return values.publicUrl === undefined
    ? [
        {
          name,
          status: 'failed',
          detail: 'AUTH_ISSUER=self needs PUBLIC_URL, the https origin under which this server is reached',
        },
      ]
    : [{ name, status: 'ok', detail: `its own, over HTTP at ${values.publicUrl}` }];
}

/** The absolute path of the composition that a command line and the settings name. */
export const toCompositionFile = (
  { configFile }: Pick<SettingValues<typeof settings>, 'configFile'>,
  given: FlagValues,
): string => resolve(String(given['config'] ?? configFile));

/**
 * The aggregator as a server.
 * @param ownFile the program that runs, absolute: an entry that starts it again would be the aggregator itself
 */
export function createAggregatorProgram(ownFile: string): ServerProgram<typeof settings> {
  return {
    name: SERVICE_NAME,
    version,
    summary:
      'Contextloom context aggregator: the single MCP entry to a persona, a knowledge base and a memory processor.',
    settings,
    flags,
    openAuthorization: openOwnAuthorization,
    checks: async ({ env }) => checkAuthorization(env),
    stores: async ({ env }) => {
      const { toAccessUpkeeps } = await import('@contextloom/access/authorization');
      return toAccessUpkeeps(readSettings(accessSettings, env).values);
    },
    build: async ({ config, flags: given, env, embed, access, log }) => {
      const profile = parseProfile(given['profile']);
      const file = toCompositionFile(config, given);
      // The file next to the composition sets what the environment leaves open, for this process as for those that it starts.
      const known = readSettings(settings, withEnvFile(env, readEnvFile(file))).values;
      const { userId = known.userId } = config;
      const load = () => loadAggregatorConfig({ env: forUser(env, userId), file, ownFile });
      const credentials = openCredentialStore(known);
      // The composition of an installed package is nobody's to change, and came with the servers that it names.
      const isChecked = file !== installedComposition || file === ownComposition;
      const opening = { file, load, isChecked, credentials, userId, zone: known.timeZone, embed, access, log, version };
      const { own, close, toReadiness, ...at } = await openAggregator(opening);
      const site = resolve(dirname(ownFile), '../../console/dist');
      return { factory: { app: own, ...at }[profile], at, site, toReadiness, close };
    },
  };
}

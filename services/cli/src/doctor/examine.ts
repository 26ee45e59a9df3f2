import { join } from 'node:path';
import { ContextloomError, isContextloomError, type ServiceStatus } from '@contextloom/contracts';
import { findServiceName, installationRoot, type ServerEntry, type StdioServerEntry } from '@contextloom/mcp-client';
import type { Check } from '@contextloom/server-kit';
import { askServiceStatus, withAggregator } from '../aggregator.ts';
import { type Composition, loadComposition, resolveConfigFile } from '../composition/composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { checkServer } from './check-server.ts';
import { describeProxy, findProxy } from './find-proxy.ts';
import { type DoctorReport, type Findings, type ServerReport, toReport } from './report.ts';
import { tryClients } from './try-clients.ts';
import { tryHooks } from './try-hooks.ts';

/**
 * Adds what is wrong with a personal memory that a composition starts for one user, as those written before `--multi-user` do:
 * its clients and the console miss what everybody else has.
 */
export function addServedUsers(report: ServerReport, entry: ServerEntry, file: string): ServerReport {
  if (report.kind === 'foreign' || findServiceName(entry) !== 'personal-memory') return report;
  const { multiUser, userId } = report.settings;
  if (multiUser?.value !== false) return report;
  const user = toPlainLine(String(userId?.value));
  const detail = `it serves the user ${user} alone, and nothing of others is reached through it: add "--multi-user" to its args in ${file}`;
  return { ...report, checks: [...report.checks, { name: 'users', status: 'failed', detail }] };
}

/** Where the variable came from that a server read: the shell, the `.env` file next to the composition, or the composition itself. */
type Origin = 'environment' | '.env' | 'composition';

/** Adds to each setting that a server read from a variable where that variable came from. */
function addOrigins(
  report: ServerReport,
  entry: ServerEntry,
  composition: Composition,
  { env }: CliContext,
): ServerReport {
  if (report.kind === 'foreign' || 'url' in entry) return report;
  const originOf = (name: string): Origin => {
    // A composition may set what neither knows, or something else than they say.
    if (entry.env[name] !== composition.env[name]) return 'composition';
    return env[name] === undefined ? '.env' : 'environment';
  };
  const settings = Object.entries(report.settings).map(([key, setting]) => {
    const { source } = setting;
    const isVariable = typeof source === 'object' && 'env' in source;
    return [key, isVariable ? { ...setting, origin: originOf(source.env) } : setting] as const;
  });
  return { ...report, settings: Object.fromEntries(settings) };
}

/** The composition that the proxy would use, and its environment with the `.env` file next to it. */
interface ProxyPlace {
  readonly file: string;
  readonly env: CliContext['env'];
}

/** Finds out how the proxy is set, whether what it needs works, and whether it runs. */
async function checkProxy({ file, env }: ProxyPlace, context: CliContext): Promise<ServerReport> {
  const given = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const entry: StdioServerEntry = {
    command: context.execPath,
    args: [join(installationRoot, 'services', 'proxy', 'dist', 'server.js')],
    env: { ...Object.fromEntries(given), MCP_CONFIG: file },
    cwd: installationRoot,
  };
  const report = await checkServer(entry, context);
  // Where its settings cannot be read, its address is not known either.
  if (report.kind !== 'own' || Object.keys(report.settings).length === 0) return report;
  const state = await findProxy(env, context);
  const runs: Check = {
    name: 'running',
    status: state.status === 'running' ? 'ok' : 'off',
    detail: describeProxy(state),
  };
  return { ...report, checks: [runs, ...report.checks] };
}

/**
 * Finds out what is set, from where, and whether it works: of the composition, of each of its servers that is ours, of the
 * proxy, and of the aggregator over all of them.
 * @throws ContextloomError `unavailable` when the user interrupts it
 */
export async function examine(context: CliContext, globals: GlobalOptions): Promise<DoctorReport> {
  const file = resolveConfigFile(context, globals);
  const { check, composition } = await readComposition(context, globals);
  const [reports, proxy] = await Promise.all([
    composition === undefined ? {} : checkServers(composition, context),
    checkProxy({ file, env: composition?.env ?? context.env }, context),
  ]);
  const envFile = composition?.envFile;
  const canAsk = check.status === 'ok' || globals.url !== undefined;
  const aggregator = canAsk ? await askAggregator(context, globals) : { check: NOT_ASKED };
  // A server of a client opens the stores that the aggregator had open: one after the other.
  const tried = globals.url === undefined && check.status === 'ok' ? await tryClients(context) : {};
  const hooks = globals.url === undefined ? await tryHooks(context) : {};
  if (context.signal.aborted) throw new ContextloomError('unavailable', 'interrupted');
  return toReport({
    composition: { file, check },
    ...(envFile !== undefined && {
      env_file: { file: envFile.file, variables: Object.keys(envFile.variables).sort() },
    }),
    servers: reports,
    proxy,
    clients: tried,
    hooks,
    aggregator,
  });
}

async function checkServers(composition: Composition, context: CliContext): Promise<Findings['servers']> {
  const reports = Object.entries(composition.servers).map(async ([name, entry]) => {
    const report = addOrigins(await checkServer(entry, context), entry, composition, context);
    return [name, addServedUsers(report, entry, composition.file)] as const;
  });
  return Object.fromEntries(await Promise.all(reports));
}

const NOT_ASKED: Check = { name: 'answers', status: 'off', detail: 'not asked, since the composition cannot be read' };

async function readComposition(
  context: CliContext,
  globals: GlobalOptions,
): Promise<{ readonly check: Check; readonly composition?: Composition }> {
  const read = await attempt(() => loadComposition(context, globals));
  if ('reason' in read) return { check: { name: 'readable', status: 'failed', detail: read.reason } };
  const detail = `${Object.keys(read.value.servers).length} servers`;
  return { check: { name: 'readable', status: 'ok', detail }, composition: read.value };
}

async function askAggregator(context: CliContext, globals: GlobalOptions): Promise<Findings['aggregator']> {
  const answer = await attempt(() => withAggregator(context, globals, askServiceStatus));
  if ('reason' in answer) return { check: { name: 'answers', status: 'failed', detail: answer.reason } };
  const status = answer.value;
  return { check: { name: 'answers', status: 'ok', detail: `it is ${describe(status)}` }, status };
}

function describe({ status }: ServiceStatus): string {
  return status === 'running' ? 'running, as is every server of it' : status;
}

/** An error in our own words is a finding; any other is a fault of this program. */
async function attempt<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly reason: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { reason: error.message };
  }
}

import { ContextloomError, isContextloomError, type ServiceStatus } from '@contextloom/contracts';
import type { Check } from '@contextloom/server-kit';
import { askServiceStatus, withAggregator } from '../aggregator.ts';
import { type Composition, loadComposition, resolveConfigFile } from '../composition/composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { checkProxy } from './check-proxy.ts';
import { checkServer } from './check-server.ts';
import { addOrigins } from './origins.ts';
import { type DoctorReport, type Findings, toReport } from './report.ts';
import { addServedUsers } from './served-users.ts';
import { tryClients } from './try-clients.ts';
import { tryHooks } from './try-hooks.ts';

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
  const asked = await attempt(() => withAggregator(context, globals, askServiceStatus));
  if ('reason' in asked) return { check: { name: 'answers', status: 'failed', detail: asked.reason } };
  const status = asked.value;
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

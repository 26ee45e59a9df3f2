import {
  COUNT_JOBS,
  COUNT_WAITING,
  countJobsAnswerSchema,
  countWaitingAnswerSchema,
  type ServiceStatus,
} from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { askArchive } from '../sources/archive/ask-archive.ts';
import type { AggregatorDeps } from '../sources/asking/deps.ts';
import { toFailure } from '../sources/asking/failure.ts';
import { type AggregatorContext, SERVICE_NAME, toCallDeps } from './deps.ts';

/** Shows which servers of the composition can be reached. */
export const getServiceStatus = defineOperation({
  name: 'get_service_status',
  title: 'Get the status of all servers',
  description:
    'Asks every server of the composition for a sign of life and says which answer, and why the others do not.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_service_status,
  example: {
    input: {},
    output: {
      service: SERVICE_NAME,
      status: 'degraded',
      components: {
        'knowledge-base': { status: 'running', tools: 13, waiting_count: 0, service: 'knowledge-base' },
        weather: { status: 'unavailable', reason: 'did not answer within 5000 ms' },
      },
    },
  },
  run: async (_args, context: AggregatorContext) => {
    const deps = toCallDeps(context);
    const { isOwn } = context.deps.forCaller(context.principal);
    const describe = async (server: string) => {
      const probed = await probeServer(server, deps, context.signal);
      const isStore = probed.status === 'running' && isOwn(server);
      const waiting = isStore ? await countWaitingAt(server, deps, context.signal) : {};
      const jobs = isStore ? await countJobsAt(server, deps, context.signal) : {};
      return { ...probed, ...waiting, ...jobs, ...toService(server, deps), ...toCalls(server, deps) };
    };
    const components = await Promise.all(
      deps.upstreams.names().map(async (server) => [server, await describe(server)] as const),
    );
    return {
      service: SERVICE_NAME,
      status: toOverall(components.map(([, { status }]) => status)),
      configuration: deps.toConfigurationStatus?.(),
      components: Object.fromEntries(components),
    };
  },
});

function toOverall(statuses: readonly ServiceStatus['components'][string]['status'][]): ServiceStatus['status'] {
  const running = statuses.filter((status) => status === 'running').length;
  if (running === statuses.length) return 'running';
  return running === 0 ? 'down' : 'degraded';
}

function toService(server: string, { upstreams }: AggregatorDeps): { readonly service?: string } {
  const service = upstreams.serviceOf(server);
  return service === undefined ? {} : { service };
}

const toMs = (ms: number): number => Math.round(ms * 10) / 10;

function toCalls(server: string, { times }: AggregatorDeps) {
  const summary = times?.of(server);
  if (summary === undefined) return {};
  const { calls: count, failed, p50Ms, p95Ms } = summary;
  const latency = p50Ms !== undefined && p95Ms !== undefined && { p50_ms: toMs(p50Ms), p95_ms: toMs(p95Ms) };
  return { calls: { count, failed, ...latency } };
}

/** Asks one server for a sign of life. */
export async function probeServer(server: string, { upstreams, deadlines, log }: AggregatorDeps, signal: AbortSignal) {
  const result = await upstreams.ping(server, { timeoutMs: deadlines.sourceMs, signal });
  if (result.kind === 'ok') return { status: 'running' as const, tools: result.value.tools };
  return { status: 'unavailable' as const, reason: toFailure(result, { server, log }).reason };
}

/** How many texts of a store wait for their vectors; nothing of a server that keeps none, or that does not tell this caller. */
async function countWaitingAt(server: string, deps: AggregatorDeps, signal: AbortSignal) {
  const call = { tool: COUNT_WAITING, args: {}, output: countWaitingAnswerSchema, signal };
  const answer = await askArchive(server, call, deps);
  return answer.kind === 'ok' ? answer.value : {};
}

/** The jobs of a server by state; nothing of a server that has none, or that does not tell this caller. */
async function countJobsAt(server: string, deps: AggregatorDeps, signal: AbortSignal) {
  const call = { tool: COUNT_JOBS, args: {}, output: countJobsAnswerSchema, signal };
  const answer = await askArchive(server, call, deps);
  return answer.kind === 'ok' ? answer.value : {};
}

import { type ServiceStatus, serviceStatusSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { SERVICE_NAME } from '../config.ts';
import type { AggregatorDeps } from '../deps.ts';
import { toFailure } from '../sources/failure.ts';

/** Shows which servers of the composition can be reached. */
export const getServiceStatus = defineTool({
  name: 'get_service_status',
  title: 'Get the status of all servers',
  description:
    'Asks every server of the composition for a sign of life and says which answer, and why the others do not.',
  input: z.object({}),
  output: serviceStatusSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (_args, deps: AggregatorDeps, { signal }) => {
    const components = await Promise.all(
      deps.upstreams.names.map(
        async (server) => [server, { ...(await probe(server, deps, signal)), ...toService(server, deps) }] as const,
      ),
    );
    return {
      service: SERVICE_NAME,
      status: toOverall(components.map(([, { status }]) => status)),
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

async function probe(server: string, { upstreams, deadlines, log }: AggregatorDeps, signal: AbortSignal) {
  const result = await upstreams.ping(server, { timeoutMs: deadlines.sourceMs, signal });
  if (result.kind === 'ok') return { status: 'running' as const, tools: result.value.tools };
  return { status: 'unavailable' as const, reason: toFailure(result, { server, log }).reason };
}

import { serviceStatusSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { SERVICE_NAME } from '../config.ts';
import type { AggregatorDeps } from '../deps.ts';
import { toFailure } from '../sources/failure.ts';

/** Shows which servers of the composition can be reached. */
export const getServiceStatus = defineTool({
  name: 'get_service_status',
  title: 'Get the status of all servers',
  description: 'Asks every server of the composition for its tools and says which can be reached, and why not.',
  input: z.object({}),
  output: serviceStatusSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (_args, deps: AggregatorDeps, { signal }) => {
    const components = await Promise.all(
      deps.upstreams.names.map(async (server) => [server, await probe(server, deps, signal)] as const),
    );
    const isWhole = components.every(([, { status }]) => status === 'running');
    return {
      service: SERVICE_NAME,
      status: isWhole ? ('running' as const) : ('degraded' as const),
      components: Object.fromEntries(components),
    };
  },
});

async function probe(server: string, { upstreams, deadlines, log }: AggregatorDeps, signal: AbortSignal) {
  const deadlineMs = deadlines.sourceMs;
  const result = await upstreams.listTools(server, { timeoutMs: deadlineMs, signal });
  if (result.kind === 'ok') return { status: 'running' as const, tools: result.value.length };
  return { status: 'unavailable' as const, reason: toFailure(result, { server, deadlineMs, log }).reason };
}

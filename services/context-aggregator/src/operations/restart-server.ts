import { ContextloomError } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { probeServer } from './get-service-status.ts';

/** Starts a server of the composition again. */
export const restartServer = defineOperation({
  name: 'restart_server',
  title: 'Restart a server',
  description:
    'Ends the connection that all callers share to a server once the calls under way have ended, and starts the server again; one over HTTP is connected again. Connections that a client has to a server of others for itself stay.',
  effect: 'runs',
  requires: 'admin',
  scope: 'none',
  ...contract.restart_server,
  example: {
    input: { server: 'knowledge-base' },
    output: { server: 'knowledge-base', status: 'running', tools: 8 },
  },
  run: async ({ server }, context: AggregatorContext) => {
    const deps = toCallDeps(context);
    const { upstreams, deadlines } = deps;
    if (!upstreams.has(server)) {
      const message = `there is no server ${JSON.stringify(server)}; there are: ${upstreams.names().join(', ')}`;
      throw new ContextloomError('not_found', message, { field: 'server' });
    }
    await upstreams.restart(server, { timeoutMs: deadlines.sourceMs });
    return { server, ...(await probeServer(server, deps, context.signal)) };
  },
});

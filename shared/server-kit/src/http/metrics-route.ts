import type { CallMetrics } from '@contextloom/access';
import { defineTextRoute, noParams, type Route } from '../route/route.ts';

const PATH = '/metrics';

/** The routes of a server with its counters for Prometheus at `/metrics`, unless it has a route of its own there. */
export function withMetrics<Deps>(
  routes: readonly Route<Deps>[],
  metrics: CallMetrics | undefined,
): readonly Route<Deps>[] {
  if (metrics === undefined || routes.some(({ path }) => path === PATH)) return routes;
  const route = defineTextRoute<typeof noParams, Deps>({
    method: 'get',
    path: PATH,
    summary: 'Tells Prometheus how many calls there were, by operation and outcome.',
    requires: 'admin',
    params: noParams,
    produces: 'text/plain; version=0.0.4',
    run: () => metrics.render(),
  });
  return [...routes, route];
}

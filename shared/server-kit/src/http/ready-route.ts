import { z } from 'zod';
import { defineRoute, noBody, noParams, type Route } from '../route/route.ts';

/** How a server behind this one was found when it was last needed: reached, not reached, or never needed yet. */
export type Reached = 'up' | 'away' | 'unused';

/** What a server that others stand behind can tell of itself. */
export interface Readiness {
  /** Whether the configuration in force is that of its file. */
  readonly configuration: 'current' | 'refused';
  readonly upstreams: Readonly<Record<string, Reached>>;
}

/** What telling it needs. */
export interface ReadyRouteOptions {
  readonly toReadiness: () => Readiness;
  /** Whether callers are asked who they are: this route is open to all, and tells no names then. */
  readonly isAuthRequired: () => boolean;
}

const counts = z.object({ up: z.number(), away: z.number(), unused: z.number() });

/**
 * Makes the route that tells a balancer to send calls here. It answers as soon as the server's own operations are served; servers
 * behind it that are away are told and make nothing fail, since every replica would fail with them.
 */
export function toReadyRoute({ toReadiness, isAuthRequired }: ReadyRouteOptions): Route<undefined> {
  return defineRoute({
    method: 'get',
    path: '/ready',
    summary:
      'Tells that the configuration is loaded and calls are taken, and how many servers behind this one are away.',
    params: noParams,
    body: noBody,
    answer: z.object({
      status: z.literal('ready'),
      configuration: z.enum(['current', 'refused']),
      upstreams: counts,
      away: z.array(z.string()).optional(),
    }),
    example: {
      answer: {
        status: 'ready',
        configuration: 'current',
        upstreams: { up: 3, away: 1, unused: 4 },
        away: ['knowledge-base'],
      },
    },
    run: () => {
      const { configuration, upstreams } = toReadiness();
      const named = (state: Reached): string[] => Object.keys(upstreams).filter((name) => upstreams[name] === state);
      const away = named('away');
      return {
        status: 'ready' as const,
        configuration,
        upstreams: { up: named('up').length, away: away.length, unused: named('unused').length },
        ...(!isAuthRequired() && { away }),
      };
    },
  });
}

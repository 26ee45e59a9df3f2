import { COUNT_WAITING, countWaitingAnswerSchema } from '@contextloom/contracts';
import { z } from 'zod';
import type { OperationContext } from './context.ts';
import { defineOperation, type Operation } from './operation.ts';

/** How a server counts the texts that wait for their vectors. */
export interface CountWaitingOptions<Deps> {
  readonly count: (context: OperationContext<Deps>) => Promise<number>;
  /** Where it is called over REST; without it only over MCP. */
  readonly path?: string;
}

/** The operation by which a store counts what waits for its embedder, the same in all of them. */
export function defineCountWaiting<Deps>({ count, path }: CountWaitingOptions<Deps>): Operation<Deps> {
  const errors = ['unavailable'] as const;
  return defineOperation({
    name: COUNT_WAITING,
    title: 'Count what waits for its vector',
    description: 'Counts the texts, of all users, that were stored while the embedder was away and have no vector yet.',
    effect: 'reads',
    // It counts the texts of every user.
    requires: 'admin',
    scope: 'none',
    input: z.object({}),
    output: countWaitingAnswerSchema,
    example: { input: {}, output: { waiting_count: 0 } },
    ...(path !== undefined && { route: { method: 'get' as const, path, errors } }),
    run: async (_nothing, context: OperationContext<Deps>) => ({ waiting_count: await count(context) }),
  });
}

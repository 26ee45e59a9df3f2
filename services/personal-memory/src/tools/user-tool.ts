import { userIdSchema } from '@contextloom/contracts';
import { defineTool, type Tool, type ToolDefinition } from '@contextloom/mcp-kit';
import { z } from 'zod';
import type { MemoryContext } from '../domain/context.ts';
import type { MemoryStore } from '../domain/store.ts';

/** What the tools work with: a store, and what every user's context has in common. */
export interface MemoryDeps extends Omit<MemoryContext, 'memory'> {
  readonly store: MemoryStore;
}

/** A tool over the memory of the user that a call names. */
interface UserToolDefinition<I extends z.ZodObject, O extends z.ZodObject>
  extends Omit<ToolDefinition<I, O, MemoryDeps>, 'run' | 'toText' | 'annotations'> {
  readonly kind: keyof typeof annotations;
  /** The list that makes up the whole answer in its text; the protocol wants an object around it in its data. */
  readonly list?: string;
  readonly run: (args: z.output<I>, context: MemoryContext) => ReturnType<ToolDefinition<I, O, MemoryDeps>['run']>;
}

const closed = { openWorldHint: false };
const annotations = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, ...closed },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, ...closed },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, ...closed },
} as const;

/** Defines a tool whose `user_id` says whose memory it works on; a server bound to a user hides it. */
export function defineUserTool<I extends z.ZodObject, O extends z.ZodObject>({
  kind,
  list,
  run,
  ...definition
}: UserToolDefinition<I, O>): Tool<MemoryDeps> {
  return defineTool<z.ZodObject, O, MemoryDeps>({
    ...definition,
    input: z.object({ ...definition.input.shape, user_id: userIdSchema }),
    annotations: annotations[kind],
    ...(list !== undefined && { toText: (answer) => JSON.stringify(Reflect.get(answer, list), null, 2) }),
    run: ({ user_id, ...args }, { store, ...common }) =>
      // The schema above is that of the definition and one key more.
      store.use(String(user_id), (memory) => run(args as z.output<I>, { ...common, memory })),
  });
}

import { jsonSchema, type ToolSet, tool } from 'ai';
import type { ContextloomClient } from '../contextloom.ts';
import { type MemoryToolsOptions, toMemoryTools } from '../tools/memory-tools.ts';

export type { MemoryToolName, MemoryToolsOptions } from '../tools/memory-tools.ts';
export type { TurnOptions } from '../turns/turn-memory.ts';
export { memoryMiddleware } from './middleware.ts';

/** The memory's tools for `generateText` and `streamText`. */
export function aiSdkTools(memory: ContextloomClient, options?: MemoryToolsOptions): ToolSet {
  const tools = toMemoryTools(memory, options).map(({ name, description, parameters, run }) => {
    const inputSchema = jsonSchema<object>({ ...parameters });
    const execute = (args: object, { abortSignal }: { readonly abortSignal?: AbortSignal | undefined }) =>
      run(args, { signal: abortSignal });
    return [name, tool({ description, inputSchema, execute })] as const;
  });
  return Object.fromEntries(tools);
}

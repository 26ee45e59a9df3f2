import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools';
import type { ContextloomClient } from '../contextloom.ts';
import { type MemoryToolsOptions, toMemoryTools } from '../tools/memory-tools.ts';

export type { MemoryToolName, MemoryToolsOptions } from '../tools/memory-tools.ts';
export { type LangChainMemoryOptions, langChainMessages } from './messages.ts';

/** The memory's tools for LangChain's models and agents. */
export function langChainTools(memory: ContextloomClient, options?: MemoryToolsOptions): StructuredToolInterface[] {
  return toMemoryTools(memory, options).map(({ name, description, parameters, run }) => {
    const func = async (args: object, _run: unknown, config?: { readonly signal?: AbortSignal }): Promise<string> =>
      JSON.stringify(await run(args, { signal: config?.signal }));
    return new DynamicStructuredTool({ name, description, schema: { ...parameters }, func });
  });
}

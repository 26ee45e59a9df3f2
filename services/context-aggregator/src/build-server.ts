import { createMcpServer, type McpServerFactory } from '@contextloom/mcp-kit';
import { SERVICE_NAME } from './config.ts';
import type { AggregatorDeps } from './deps.ts';
import { tools } from './tools/index.ts';

const INSTRUCTIONS =
  'Before answering a user, call build_prompt_with_context and use its text as the system prompt. After a conversation, call store_conversation_memory so that the next prompt remembers it.';

/** What the aggregator is built from. */
export interface AggregatorOptions extends AggregatorDeps {
  readonly version: string;
}

/** Builds the aggregator over the servers of a composition; whoever made the upstreams closes them. */
export function createAggregatorServer({ version, ...deps }: AggregatorOptions): McpServerFactory {
  return createMcpServer({ name: SERVICE_NAME, version, instructions: INSTRUCTIONS, tools, deps, log: deps.log });
}

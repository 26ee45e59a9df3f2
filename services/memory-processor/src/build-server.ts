import { createMcpServer, type Log, type McpServerFactory } from '@contextloom/mcp-kit';
import type { MemoryProcessor } from './domain/memory-processor.ts';
import { tools } from './tools/index.ts';

/** What the server is built from. */
export interface MemoryProcessorServerOptions {
  readonly processor: MemoryProcessor;
  readonly version: string;
  readonly log: Log;
}

/** Builds the memory processor's MCP server. */
export function createMemoryProcessorServer({
  processor,
  version,
  log,
}: MemoryProcessorServerOptions): McpServerFactory {
  return createMcpServer({
    name: 'memory-processor',
    version,
    instructions:
      'Turns conversations into rated memories. process_transcript saves them for a user; extract_memories only shows them.',
    tools,
    deps: { processor },
    log,
  });
}

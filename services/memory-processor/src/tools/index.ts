import type { Tool } from '@contextloom/mcp-kit';
import type { MemoryProcessorDeps } from './deps.ts';
import { extractMemories } from './extract-memories.ts';
import { processTranscript } from './process-transcript.ts';

/** The memory processor's tools. */
export const tools: readonly Tool<MemoryProcessorDeps>[] = [extractMemories, processTranscript];

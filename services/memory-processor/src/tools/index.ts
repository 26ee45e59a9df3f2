import type { Tool } from '@contextloom/mcp-kit';
import type { MemoryProcessorDeps } from './deps.ts';
import { extractMemories } from './extract-memories.ts';
import { listDecisions } from './list-decisions.ts';
import { listFacts } from './list-facts.ts';
import { processTranscript } from './process-transcript.ts';
import { undoDecision } from './undo-decision.ts';

/** The memory processor's tools. */
export const tools: readonly Tool<MemoryProcessorDeps>[] = [
  extractMemories,
  processTranscript,
  listFacts,
  listDecisions,
  undoDecision,
];

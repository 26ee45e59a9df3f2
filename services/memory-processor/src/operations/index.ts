import type { Operation } from '@contextloom/mcp-kit';
import type { MemoryProcessorDeps } from './deps.ts';
import { extractMemories } from './extract-memories.ts';
import { extractProjectNotes } from './extract-project-notes.ts';
import { forgetUser } from './forget-user.ts';
import { listDecisions } from './list-decisions.ts';
import { listFacts } from './list-facts.ts';
import { processTranscript } from './process-transcript.ts';
import { undoDecision } from './undo-decision.ts';

/** The memory processor's operations, in the order that clients see. */
export const operations: readonly Operation<MemoryProcessorDeps>[] = [
  extractMemories,
  processTranscript,
  listFacts,
  listDecisions,
  undoDecision,
  extractProjectNotes,
  forgetUser,
];

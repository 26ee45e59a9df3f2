import type { Operation } from '@contextloom/server-kit';
import { listDecisions, undoDecision } from './decisions.ts';
import type { MemoryProcessorDeps } from './deps.ts';
import { extractMemories } from './extract-memories.ts';
import { extractProjectNotes } from './extract-project-notes.ts';
import { forgetUser } from './forget-user.ts';
import { countJobs, jobOperations } from './jobs/jobs.ts';
import { listFacts } from './list-facts.ts';
import { listImports } from './list-imports.ts';
import { previewImport } from './preview-import.ts';
import { processTranscript } from './process-transcript.ts';
import { startImport } from './start-import.ts';
import { undoImport } from './undo-import.ts';
import { uploadImport } from './upload-import.ts';

/** The memory processor's operations, in the order that clients see. */
export const operations: readonly Operation<MemoryProcessorDeps>[] = [
  extractMemories,
  processTranscript,
  listFacts,
  listDecisions,
  undoDecision,
  extractProjectNotes,
  uploadImport,
  previewImport,
  startImport,
  listImports,
  undoImport,
  ...jobOperations,
  countJobs,
  forgetUser,
];

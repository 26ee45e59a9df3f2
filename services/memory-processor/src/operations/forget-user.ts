import { defineForgetUser } from '@contextloom/server-kit';
import type { MemoryProcessorDeps } from './deps.ts';

/** Forgets a user's imports; the memories themselves are the knowledge base's to forget. */
export const forgetUser = defineForgetUser<MemoryProcessorDeps>({
  erases: 'the journal of imports, and jobs with their conversations',
  forget: ({ userId, isDryRun }, { deps: { forget } }) => forget(userId, isDryRun),
});

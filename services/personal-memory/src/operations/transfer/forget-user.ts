import { defineForgetUser } from '@contextloom/server-kit';
import type { PersonalMemoryDeps } from '../deps.ts';

/** Forgets a user, in the store and in its backups. */
export const forgetUserOperation = defineForgetUser<PersonalMemoryDeps>({
  erases: 'the profile with its history, the entities, relations and events',
  forget: ({ userId, isDryRun }, { deps: { store } }) => store.forget(userId, isDryRun),
});

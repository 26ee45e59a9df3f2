// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

import type { BuildPromptWithContextInput, BuildPromptWithContextOutput } from './build-prompt-with-context.ts';
import type { ExplainPromptInput, ExplainPromptOutput } from './explain-prompt.ts';
import type { StoreConversationMemoryInput, StoreConversationMemoryOutput } from './store-conversation-memory.ts';
import type { GetJobInput, GetJobOutput } from './get-job.ts';
import type { ListJobsInput, ListJobsOutput } from './list-jobs.ts';
import type { RetryJobInput, RetryJobOutput } from './retry-job.ts';
import type { CancelJobInput, CancelJobOutput } from './cancel-job.ts';
import type { ExtractMemoriesInput, ExtractMemoriesOutput } from './extract-memories.ts';
import type { GetUserMemoriesInput, GetUserMemoriesOutput } from './get-user-memories.ts';
import type { ListFactsInput, ListFactsOutput } from './list-facts.ts';
import type { ListDecisionsInput, ListDecisionsOutput } from './list-decisions.ts';
import type { UndoDecisionInput, UndoDecisionOutput } from './undo-decision.ts';
import type { ForgetUserInput, ForgetUserOutput } from './forget-user.ts';
import type { ListUsersInput, ListUsersOutput } from './list-users.ts';
import type { ExportUserInput, ExportUserOutput } from './export-user.ts';
import type { ImportUserInput, ImportUserOutput } from './import-user.ts';
import type { GetServiceStatusInput, GetServiceStatusOutput } from './get-service-status.ts';
import type { RememberInput, RememberOutput } from './remember.ts';
import type { RecallInput, RecallOutput } from './recall.ts';
import type { UpdateMemoryInput, UpdateMemoryOutput } from './update-memory.ts';
import type { ForgetInput, ForgetOutput } from './forget.ts';
import type { ListMemoriesInput, ListMemoriesOutput } from './list-memories.ts';
import type { GetMemoryInput, GetMemoryOutput } from './get-memory.ts';
import type { ListKeysInput, ListKeysOutput } from './list-keys.ts';
import type { AddKeyInput, AddKeyOutput } from './add-key.ts';
import type { RevokeKeyInput, RevokeKeyOutput } from './revoke-key.ts';
import type { ListActivityInput, ListActivityOutput } from './list-activity.ts';
import type { RestartServerInput, RestartServerOutput } from './restart-server.ts';

/** Arguments and answer of each operation, by name. */
export interface Operations {
  readonly build_prompt_with_context: { readonly input: BuildPromptWithContextInput; readonly output: BuildPromptWithContextOutput };
  readonly explain_prompt: { readonly input: ExplainPromptInput; readonly output: ExplainPromptOutput };
  readonly store_conversation_memory: { readonly input: StoreConversationMemoryInput; readonly output: StoreConversationMemoryOutput };
  readonly get_job: { readonly input: GetJobInput; readonly output: GetJobOutput };
  readonly list_jobs: { readonly input: ListJobsInput; readonly output: ListJobsOutput };
  readonly retry_job: { readonly input: RetryJobInput; readonly output: RetryJobOutput };
  readonly cancel_job: { readonly input: CancelJobInput; readonly output: CancelJobOutput };
  readonly extract_memories: { readonly input: ExtractMemoriesInput; readonly output: ExtractMemoriesOutput };
  readonly get_user_memories: { readonly input: GetUserMemoriesInput; readonly output: GetUserMemoriesOutput };
  readonly list_facts: { readonly input: ListFactsInput; readonly output: ListFactsOutput };
  readonly list_decisions: { readonly input: ListDecisionsInput; readonly output: ListDecisionsOutput };
  readonly undo_decision: { readonly input: UndoDecisionInput; readonly output: UndoDecisionOutput };
  readonly forget_user: { readonly input: ForgetUserInput; readonly output: ForgetUserOutput };
  readonly list_users: { readonly input: ListUsersInput; readonly output: ListUsersOutput };
  readonly export_user: { readonly input: ExportUserInput; readonly output: ExportUserOutput };
  readonly import_user: { readonly input: ImportUserInput; readonly output: ImportUserOutput };
  readonly get_service_status: { readonly input: GetServiceStatusInput; readonly output: GetServiceStatusOutput };
  readonly remember: { readonly input: RememberInput; readonly output: RememberOutput };
  readonly recall: { readonly input: RecallInput; readonly output: RecallOutput };
  readonly update_memory: { readonly input: UpdateMemoryInput; readonly output: UpdateMemoryOutput };
  readonly forget: { readonly input: ForgetInput; readonly output: ForgetOutput };
  readonly list_memories: { readonly input: ListMemoriesInput; readonly output: ListMemoriesOutput };
  readonly get_memory: { readonly input: GetMemoryInput; readonly output: GetMemoryOutput };
  readonly list_keys: { readonly input: ListKeysInput; readonly output: ListKeysOutput };
  readonly add_key: { readonly input: AddKeyInput; readonly output: AddKeyOutput };
  readonly revoke_key: { readonly input: RevokeKeyInput; readonly output: RevokeKeyOutput };
  readonly list_activity: { readonly input: ListActivityInput; readonly output: ListActivityOutput };
  readonly restart_server: { readonly input: RestartServerInput; readonly output: RestartServerOutput };
}

/** Whether the same call again changes nothing more, and whether it is about a user. */
export const operationTraits = {
  build_prompt_with_context: { isIdempotent: true, isForUser: true },
  explain_prompt: { isIdempotent: true, isForUser: true },
  store_conversation_memory: { isIdempotent: true, isForUser: true },
  get_job: { isIdempotent: true, isForUser: true },
  list_jobs: { isIdempotent: true, isForUser: true },
  retry_job: { isIdempotent: false, isForUser: true },
  cancel_job: { isIdempotent: false, isForUser: true },
  extract_memories: { isIdempotent: true, isForUser: false },
  get_user_memories: { isIdempotent: true, isForUser: true },
  list_facts: { isIdempotent: true, isForUser: true },
  list_decisions: { isIdempotent: true, isForUser: true },
  undo_decision: { isIdempotent: false, isForUser: true },
  forget_user: { isIdempotent: true, isForUser: true },
  list_users: { isIdempotent: true, isForUser: false },
  export_user: { isIdempotent: true, isForUser: true },
  import_user: { isIdempotent: true, isForUser: true },
  get_service_status: { isIdempotent: true, isForUser: false },
  remember: { isIdempotent: false, isForUser: true },
  recall: { isIdempotent: true, isForUser: true },
  update_memory: { isIdempotent: true, isForUser: true },
  forget: { isIdempotent: true, isForUser: true },
  list_memories: { isIdempotent: true, isForUser: true },
  get_memory: { isIdempotent: true, isForUser: true },
  list_keys: { isIdempotent: true, isForUser: false },
  add_key: { isIdempotent: false, isForUser: false },
  revoke_key: { isIdempotent: true, isForUser: false },
  list_activity: { isIdempotent: true, isForUser: true },
  restart_server: { isIdempotent: false, isForUser: false },
} as const;
